//! Length, area and volume of elements, by their facets.

use delassus::mesh::Mesh;

/// Length, area or volume between the corners of element `e`; negative if its facets point inward.
///
/// ```text
///     2 A = Σ edges (a × b)        6 V = Σ triangles a · (b × c)
/// ```
pub fn measure(mesh: &Mesh, e: usize) -> f64 {
    let (kind, nodes) = (mesh.kinds[e], mesh.nodes_of(e));
    // Relative to the first node, so that rounding is that of the element's size.
    let origin = mesh.points[nodes[0] as usize];
    let at = |node: usize| -> [f64; 3] {
        let point = mesh.points[nodes[node] as usize];
        [0, 1, 2].map(|i| point[i] - origin[i])
    };
    let area = |a: [f64; 3], b: [f64; 3]| 0.5 * (a[0] * b[1] - a[1] * b[0]);
    let volume = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        (a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]))
            / 6.0
    };
    let facets = kind.faces().iter().map(|face| &face.nodes[..face.kind.corners()]);
    match kind.dimension() {
        0 => 0.0,
        1 => at(1).iter().map(|x| x * x).sum::<f64>().sqrt(),
        2 => facets.map(|edge| area(at(edge[0]), at(edge[1]))).sum(),
        _ => facets
            .flat_map(|facet| facet[1..].windows(2).map(|pair| [facet[0], pair[0], pair[1]]))
            .map(|[a, b, c]| volume(at(a), at(b), at(c)))
            .sum(),
    }
}
