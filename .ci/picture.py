#!/usr/bin/env python3
"""Draws one frame of a run: deformed mesh, a field in colour, contact impulses as arrows.

    python3 -m venv venv && venv/bin/pip install vtk numpy
    venv/bin/python picture.py results/sliding_block --time 0.3 --warp 100 --out block.png

Needs no display: without one, VTK draws through EGL (Debian: libegl1 and libgl1-mesa-dri), or with
VTK_DEFAULT_OPENGL_WINDOW=vtkOSOpenGLRenderWindow through OSMesa (Debian: libosmesa6).
"""

import argparse
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

if sys.platform == "linux" and not os.environ.get("DISPLAY"):
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")

import numpy as np
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

INK = (0.13, 0.14, 0.17)
GREY = (0.42, 0.44, 0.49)
# viridis: even steps of lightness, and legible without colour vision
COLOURS = ("440154", "482475", "414487", "355f8d", "2a788e", "21918c",
           "22a884", "44bf70", "7ad151", "bddf26", "fde725")  # fmt: skip
TITLES = {  # other fields are called by their own name
    "von_mises": "von Mises stress",
    "stress": "stress norm",
    "strain": "strain norm",
    "tangential_work": "friction work",
    "tangential_work_total": "friction work",
    "normal_work_total": "normal work",
}
# unit system -> unit of length, time, stress, impulse
UNITS = {
    "mm, ms, g": ("mm", "ms", "MPa", "g mm/ms"),
    "m, s, kg": ("m", "s", "Pa", "N s"),
    "mm, s, t": ("mm", "s", "MPa", "N s"),
}
SAMPLES = 3  # drawn this many times larger each way, then averaged: smooth lines on any driver
# the picture's layout, in fractions of its width and height
MARGIN = 0.04
DRAWING_WIDTH = 0.78  # at most
DRAWING_BOTTOM, DRAWING_HEIGHT = 0.10, 0.78
BAR_DISTANCE, BAR_WIDTH, BAR_WITH_TEXT = 0.05, 0.018, 0.09
BAR_BOTTOM, BAR_HEIGHT = 0.14, 0.62


def nearest_frame(folder, time):
    """Time and path of the frame nearest to `time`, or of the last one."""
    entries = ElementTree.parse(folder / "fields.pvd").getroot().iter("DataSet")
    frames = [(float(entry.get("timestep")), folder / entry.get("file")) for entry in entries]
    if not frames:
        sys.exit(f"{folder}/fields.pvd names no file; has the run written a frame?")
    return frames[-1] if time is None else min(frames, key=lambda frame: abs(frame[0] - time))


def read_grid(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    return grid if grid.GetNumberOfCells() else sys.exit(f"{path}: no cells; is the file whole?")


def case_and_units(folder):
    """Name of the case and its units of length, time, stress and impulse, as far as known."""
    try:
        summary = json.loads((folder / "summary.json").read_text())
    except (OSError, ValueError):
        summary = {}
    case = summary.get("case", folder.resolve().name)
    settings = case if isinstance(case, dict) else {}
    name = settings.get("name", folder.resolve().name) if settings else str(case)
    units = summary.get("units", settings.get("units", ""))
    return name.replace("_", " "), UNITS.get(units, ("", "", "", ""))


def colour_field(grid, name):
    """Adds the scalar `name` (the magnitude of a vector or tensor) as array `shown`."""
    for data, kind in ((grid.GetPointData(), "point"), (grid.GetCellData(), "cell")):
        array = data.GetArray(name)
        if array is None:
            continue
        values = vtk_to_numpy(array).astype(float)
        if values.ndim == 2:
            weights = np.array([1, 1, 1, 2, 2, 2]) if values.shape[1] == 6 else 1
            values = np.sqrt(np.sum(weights * values**2, axis=1))
        shown = numpy_to_vtk(values, deep=True)
        shown.SetName("shown")
        data.AddArray(shown)
        return kind, (float(values.min()), float(values.max()))
    known = [data.GetArrayName(i) for data in (grid.GetPointData(), grid.GetCellData())
             for i in range(data.GetNumberOfArrays())]  # fmt: skip
    sys.exit(f"no field '{name}'; the file has: {', '.join(known)}")


def warped(grid, factor):
    grid.GetPointData().SetActiveVectors("displacement")
    warp = vtk.vtkWarpVector()
    warp.SetInputData(grid)
    warp.SetScaleFactor(factor)
    warp.Update()
    return warp.GetOutput()


def colour_table(lower, upper):
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(256)
    stops = np.array([[int(c[i : i + 2], 16) / 255 for i in (0, 2, 4)] for c in COLOURS])
    position = np.linspace(0, 1, len(stops))
    for index, x in enumerate(np.linspace(0, 1, 256)):
        table.SetTableValue(index, *(np.interp(x, position, stops[:, k]) for k in range(3)))
    table.SetTableRange(lower, upper if upper > lower else lower + 1)
    return table


def mesh_actor(grid, kind, table, line_opacity):
    mapper = vtk.vtkDataSetMapper()
    mapper.SetInputData(grid)
    mapper.SetLookupTable(table)
    mapper.UseLookupTableScalarRangeOn()
    mapper.InterpolateScalarsBeforeMappingOn()
    if kind == "point":
        mapper.SetScalarModeToUsePointFieldData()
    else:
        mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray("shown")
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.LightingOff()
    if line_opacity > 0:
        look.EdgeVisibilityOn()
        look.SetEdgeColor(*INK)
        look.SetEdgeOpacity(line_opacity)
        look.SetLineWidth(SAMPLES)
    return actor


def outline_actor(grid, colour, width):
    surface = vtk.vtkGeometryFilter()
    surface.SetInputData(grid)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputConnection(surface.GetOutputPort())
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.SetFeatureAngle(60)
    actor = plain_actor(edges, colour)
    actor.GetProperty().SetLineWidth(SAMPLES * width)
    return actor


def arrow_shape(thickness):
    """An arrow of length 1 along x that ends at the origin."""
    arrow = vtk.vtkArrowSource()
    arrow.SetTipResolution(24)
    arrow.SetShaftResolution(24)
    arrow.SetShaftRadius(0.018 * thickness)
    arrow.SetTipRadius(0.06 * thickness)
    arrow.SetTipLength(0.24 * thickness)
    tip_at_origin = vtk.vtkTransform()
    tip_at_origin.Translate(-1, 0, 0)
    shifted = vtk.vtkTransformFilter()
    shifted.SetTransform(tip_at_origin)
    shifted.SetInputConnection(arrow.GetOutputPort())
    return shifted


def arrow_actor(grid, length):
    """Impulses as arrows that push on their node from outside (None without any), the largest."""
    array = grid.GetPointData().GetArray("contact_impulse")
    impulse = vtk_to_numpy(array) if array is not None else np.zeros((1, 3))
    size = np.linalg.norm(impulse, axis=1)
    if size.max() == 0:
        return None, 0.0
    pushed = np.flatnonzero(size > 1e-3 * size.max())
    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(vtk_to_numpy(grid.GetPoints().GetData())[pushed], deep=True))
    nodes = vtk.vtkPolyData()
    nodes.SetPoints(points)
    nodes.GetPointData().SetVectors(numpy_to_vtk(impulse[pushed], deep=True))
    shape = arrow_shape(thickness=np.clip(40 / pushed.size, 0.4, 1))
    glyphs = vtk.vtkGlyph3D()
    glyphs.SetInputData(nodes)
    glyphs.SetSourceConnection(shape.GetOutputPort())
    glyphs.SetScaleModeToScaleByVector()
    glyphs.SetScaleFactor(length / size.max())
    return plain_actor(glyphs, INK), float(size.max())


def plain_actor(source, colour):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().LightingOff()
    return actor


def text_actor(text, x, y, size, colour=INK, bold=False):
    actor = vtk.vtkTextActor()
    actor.SetInput(text)
    style = actor.GetTextProperty()
    style.SetFontSize(SAMPLES * size)
    style.SetLineSpacing(1.15)
    style.SetBold(bold)
    style.SetColor(*colour)
    style.SetVerticalJustificationToCentered()
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(x, y)
    return actor


def add_colour_bar(renderer, table, heading, left, height):
    """A bar of the table's colours with a few round numbers beside it."""
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetNumberOfLabels(0)
    bar.SetMaximumNumberOfColors(256)
    bar.DrawTickLabelsOff()
    bar.SetBarRatio(1)
    bar.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    bar.SetPosition(left, BAR_BOTTOM)
    bar.SetPosition2(BAR_WIDTH, BAR_HEIGHT)
    renderer.AddViewProp(bar)
    lower, upper = table.GetTableRange()
    for value, label in round_numbers(lower, upper):
        level = BAR_BOTTOM + BAR_HEIGHT * (value - lower) / (upper - lower)
        renderer.AddViewProp(text_actor(label, left + BAR_WIDTH + 0.008, level, height // 38))
    above = BAR_BOTTOM + BAR_HEIGHT + 0.075
    renderer.AddViewProp(text_actor(heading, left, above, height // 36))


def round_numbers(lower, upper):
    """Four to eight round numbers between the ends, each with its text."""
    rough = (upper - lower) / 6
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = int(np.ceil(lower / step - 1e-9)), int(np.floor(upper / step + 1e-9))
    values = [count * step for count in range(first, last + 1)]
    exponent = int(np.floor(np.log10(step)))
    if exponent < -4 or max(abs(lower), abs(upper)) >= 1e6:
        return [(value, f"{value:.3g}") for value in values]
    return [(value, f"{value:.{max(-exponent, 0)}f}") for value in values]


def bounds_of(actors):
    """Smallest box around `actors`."""
    boxes = np.array([actor.GetBounds() for actor in actors])
    return boxes[:, ::2].min(axis=0), boxes[:, 1::2].max(axis=0)


def fits_beside(actor, actors):
    """Whether showing `actor` too leaves the others at least two thirds of their size."""
    (alone_lower, alone_upper), (lower, upper) = bounds_of(actors), bounds_of([*actors, actor])
    return bool(np.all((upper - lower)[:2] <= 1.5 * (alone_upper - alone_lower)[:2]))


def aim(renderer, lower, upper, size):
    """Looks along z at the box, which with the colour bar stands in the middle of the picture.

    Returns where the box begins and ends, in fractions of the picture's width.
    """
    aspect = size[0] / size[1]
    extent = upper - lower
    height = max(extent[1] / DRAWING_HEIGHT, extent[0] / (DRAWING_WIDTH * aspect))
    width = extent[0] / (height * aspect)
    left = max(MARGIN, 0.5 * (1 - width - BAR_DISTANCE - BAR_WITH_TEXT))
    middle = 0.5 * (lower + upper)
    middle[0] += (0.5 - left - 0.5 * width) * height * aspect
    middle[1] += (0.5 - DRAWING_BOTTOM - 0.5 * DRAWING_HEIGHT) * height
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint(*middle)
    camera.SetPosition(middle[0], middle[1], middle[2] + 10 * extent.max())
    camera.SetParallelScale(0.5 * height)
    renderer.ResetCameraClippingRange()
    return left, left + width


def aim_solid(renderer):
    """A solid is seen from its upper front corner; returns what `aim` does."""
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetPosition(0.8, -1.6, 0.9)
    camera.SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    camera.SetWindowCenter(0.08, 0.0)
    return MARGIN, MARGIN + DRAWING_WIDTH


def line_opacity(grid, size):
    """Mesh lines fade out as cells become smaller than a few pixels."""
    surface = vtk.vtkGeometryFilter()
    surface.SetInputData(grid)
    surface.Update()
    pixels = 0.4 * size[0] * size[1] / max(surface.GetOutput().GetNumberOfCells(), 1)
    return float(np.clip((np.sqrt(pixels) - 3) / 20, 0, 0.45))


def field_unit(name, units):
    length, time, stress, impulse = units
    speed = f"{length}/{time}" if length else ""
    return {"displacement": length, "gap": length, "velocity": speed, "stress": stress,
            "von_mises": stress, "contact_impulse": impulse}.get(name, "")  # fmt: skip


def save(renderer, size, path):
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)
    window.SetSize(SAMPLES * size[0], SAMPLES * size[1])
    window.AddRenderer(renderer)
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    averaged = vtk.vtkImageShrink3D()
    averaged.SetInputConnection(image.GetOutputPort())
    averaged.SetShrinkFactors(SAMPLES, SAMPLES, 1)
    averaged.MeanOn()
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(averaged.GetOutputPort())
    writer.SetFileName(str(path))
    writer.Write()
    if writer.GetErrorCode():
        sys.exit(f"{path}: cannot be written; does its folder exist?")


def build_scene(grid, options):
    """Everything but words: renderer, colours, largest impulse, both ends of the drawing."""
    kind, extremes = colour_field(grid, options.field)
    table = colour_table(*(options.range or extremes))
    deformed = warped(grid, options.warp)
    lower, upper = np.reshape(grid.GetBounds(), (3, 2)).T
    flat = upper[2] == lower[2]
    opacity = 0 if options.no_mesh else line_opacity(deformed, options.size)
    actors = [mesh_actor(deformed, kind, table, opacity)]
    if flat:
        actors.append(outline_actor(deformed, INK, 2))
        undeformed = outline_actor(grid, GREY, 1.5)
        undeformed.SetPosition(0, 0, -0.01 * np.linalg.norm(upper - lower))  # behind the mesh
        if fits_beside(undeformed, actors):
            actors.append(undeformed)
    arrows, largest = arrow_actor(deformed, 0.13 * np.linalg.norm(upper - lower))
    if arrows and not options.no_arrows:
        actors.append(arrows)
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    for actor in actors:
        renderer.AddActor(actor)
    ends = aim(renderer, *bounds_of(actors), options.size) if flat else aim_solid(renderer)
    return renderer, table, largest, ends


def draw(options):
    time, path = nearest_frame(options.dir, options.time)
    case, units = case_and_units(options.dir)
    renderer, table, largest, (left, right) = build_scene(read_grid(path), options)
    title = options.title or f"{case}, t = {time:.6g} {units[1]}".strip()
    renderer.AddViewProp(text_actor(title, left, 0.945, options.size[1] // 26, bold=True))
    notes = [f"displacements \u00d7 {options.warp:g}"] if options.warp != 1 else []
    if largest > 0 and not options.no_arrows:
        notes.append(f"arrows: contact impulses, largest {largest:.3g} {units[3]}".strip())
    renderer.AddViewProp(text_actor("     ".join(notes), left, 0.045, options.size[1] // 40, GREY))
    name = TITLES.get(options.field, options.field.replace("_", " "))
    unit = field_unit(options.field, units)
    heading = f"{name}\n[{unit}]" if unit else name
    add_colour_bar(renderer, table, heading, right + BAR_DISTANCE, options.size[1])
    save(renderer, options.size, options.out)
    lower, upper = table.GetTableRange()
    print(f"{options.out}: {path.name}, t = {time:g}, {options.field} from {lower:g} to {upper:g}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("dir", type=Path, help="results folder of a run")
    add("--time", type=float, help="the frame nearest to this time (default: the last)")
    add("--warp", type=float, default=1, help="factor on the displacements (default: 1)")
    add("--field", default="displacement", help="point or cell array shown in colour")
    add("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="ends of the colour bar")
    add("--title", help="instead of the case name and the time")
    add("--size", type=int, nargs=2, default=(1400, 700), metavar=("WIDTH", "HEIGHT"))
    add("--no-arrows", action="store_true", help="leave the contact impulses out")
    add("--no-mesh", action="store_true", help="leave the mesh lines out")
    add("--out", type=Path, default=Path("picture.png"), help="the PNG to write")
    return parser.parse_args()


if __name__ == "__main__":
    draw(arguments())
