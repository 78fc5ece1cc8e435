#!/usr/bin/env python3
"""Opens the results of a run with VTK itself and checks them against the output contract.

    python3 -m venv venv && venv/bin/pip install vtk numpy
    venv/bin/python vtk_check.py results/sliding_block

One line per check; exit code 0 if all hold, 1 if one does not.
"""

import argparse
import csv
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

POINT_ARRAYS = {"displacement": 3, "velocity": 3}
TOUCHED_ARRAYS = {
    "contact_impulse": 3,
    "gap": 1,
    "contact_status": 1,
    "tangential_work": 1,
    "tangential_work_total": 1,
    "normal_work_total": 1,
}
CELL_ARRAYS = {"stress": 6, "strain": 6, "von_mises": 1}
BODY_ARRAYS = {
    "body": 1,
    "driven": 1,
    "center": 3,
    "rotation": 4,
    "center_velocity": 3,
    "angular_velocity": 3,
    "kinetic_energy": 1,
}
PAIR_ARRAYS = {
    "impulse": 3,
    "force": 3,
    "normal": 3,
    "gap": 1,
    "status": 1,
    "step_normal_work": 1,
    "step_tangential_work": 1,
    "body_1": 1,
    "body_2": 1,
}
UNITLESS = ("contact_status", "strain", "body", "driven", "rotation", "vtkGhostType")
HIDDEN_CELL = 32  # vtkDataSetAttributes::HIDDENCELL
REFERENCE = Path(__file__).resolve().parent.parent / "docs/src/reference/output.md"
STATUSES = (-1, 0, 1, 2)  # not a candidate, open, stick, slip
WORK_TOLERANCE = 1e-9  # the two sums run in different orders
MISES_TOLERANCE = 1e-10  # rounding of the formula, relative to the cell's stress


def documented_columns(heading):
    """First cells of the table under a heading of the output reference, in their order."""
    section = REFERENCE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)


def first_cells(heading):
    section = REFERENCE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]


class Checks:
    """Prints one line per check and counts."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, holds, seen=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok     ' if holds else 'FAILED '}{name}{': ' if seen else ''}{seen}")


class Frame:
    """One .vtu as VTK reads it, its arrays as numpy."""

    def __init__(self, folder, file, time):
        self.file, self.time = file, time
        # errors of the reader and of the parser inside it all end in the output window
        window = vtk.vtkStringOutputWindow()
        vtk.vtkOutputWindow.SetInstance(window)
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(folder / file))
        reader.Update()
        self.complaint = complaint_of(window, reader)
        self.grid = reader.GetOutput()
        self.point = arrays_of(self.grid.GetPointData())
        self.cell = arrays_of(self.grid.GetCellData())
        self.field = arrays_of(self.grid.GetFieldData())


def complaint_of(window, reader):
    """VTK's first error or warning, without the addresses of its objects."""
    text = window.GetOutput().strip().split("\n\n")[0].split("): ", 1)[-1]
    code = reader.GetErrorCode()
    return " ".join(text.split()) or (f"error code {code}" if code else "")


def arrays_of(data):
    arrays = (data.GetArray(index) for index in range(data.GetNumberOfArrays()))
    return {array.GetName(): vtk_to_numpy(array) for array in arrays if array is not None}


def count_fault(counts):
    def fault(frame):
        found = (frame.grid.GetNumberOfPoints(), frame.grid.GetNumberOfCells())
        wanted = (counts.get("nodes"), counts.get("elements"))
        beside = counts.get("masses", 0) + counts.get("bodies", 0)  # each at least one point and cell
        holds = found == wanted if not beside else all(f >= w + beside for f, w in zip(found, wanted))
        return None if holds else f"{found} in the file, {wanted} and {beside} beside in summary.json"

    return fault


def array_fault(place, name, components):
    def fault(frame):
        arrays = getattr(frame, place)
        if name not in arrays:
            return f"missing; the file has {', '.join(arrays) or 'none'}"
        values = arrays[name]
        found = 1 if values.ndim == 1 else values.shape[1]
        if found != components:
            return f"{found} components instead of {components}"
        bad = int(np.count_nonzero(~np.isfinite(values)))
        return f"{bad} values are not finite" if bad else None

    return fault


def status_fault(frame):
    status = frame.point.get("contact_status")
    if status is None:
        return "missing"
    strange = sorted(set(np.unique(status).tolist()) - set(STATUSES))
    return f"values {strange}" if strange else None


def time_fault(frame):
    time = frame.field.get("TimeValue")
    if time is None or time.size != 1:
        return "no single TimeValue"
    inside = float(time[0])
    return None if inside == frame.time else f"TimeValue {inside!r}, fields.pvd {frame.time!r}"


def size_fault(frame):
    sizes = signed_sizes(frame.grid)
    bad = np.flatnonzero(~(sizes > 0))
    return f"cell {bad[0]} has size {sizes[bad[0]]:g}, {bad.size} such cells" if bad.size else None


def signed_sizes(grid):
    """Area of plane cells, negative if clockwise, from their corners; volume, length or 1 of others."""
    filter_ = vtk.vtkCellSizeFilter()
    filter_.SetInputData(grid)
    filter_.Update()
    measured = arrays_of(filter_.GetOutput().GetCellData())
    sizes = measured["Volume"] + measured["Length"] + measured["VertexCount"]
    corners = {vtk.VTK_TRIANGLE: 3, vtk.VTK_QUADRATIC_TRIANGLE: 3, vtk.VTK_QUAD: 4,
               vtk.VTK_QUADRATIC_QUAD: 4, vtk.VTK_BIQUADRATIC_QUAD: 4}  # fmt: skip
    points = vtk_to_numpy(grid.GetPoints().GetData())
    connectivity = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    starts = vtk_to_numpy(grid.GetCells().GetOffsetsArray())[:-1]
    types = np.array([grid.GetCellType(cell) for cell in range(grid.GetNumberOfCells())])
    for cell_type, count in corners.items():
        cells = np.flatnonzero(types == cell_type)
        polygon = points[connectivity[starts[cells][:, None] + np.arange(count)]]
        x, y = polygon[..., 0], polygon[..., 1]
        x_next, y_next = np.roll(x, -1, axis=1), np.roll(y, -1, axis=1)
        sizes[cells] = 0.5 * np.sum(x * y_next - x_next * y, axis=1)
    polygons = np.flatnonzero(types == vtk.VTK_POLYGON)
    sizes[polygons] = measured["Area"][polygons]
    return sizes


def mises_fault(frame):
    stress, given = frame.cell.get("stress"), frame.cell.get("von_mises")
    if stress is None or given is None or stress.ndim != 2 or stress.shape[1] != 6:
        return "needs stress with 6 components and von_mises"
    xx, yy, zz, xy, yz, xz = stress.T
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    expected = np.sqrt(0.5 * normal + 3 * (xy**2 + yz**2 + xz**2))
    scale = np.linalg.norm(stress, axis=1)
    error = np.abs(given - expected)
    worst = int(np.argmax(error - MISES_TOLERANCE * scale))
    if error[worst] <= MISES_TOLERANCE * scale[worst]:
        return None
    return f"cell {worst} has {given[worst]:.12g}, its stress gives {expected[worst]:.12g}"


def check_work(checks, frame, history, pairs):
    """The sum over nodes in the last frame, and over pairs of bodies, against the last row, if both are the last step."""
    name = "nodal tangential_work_total and pairs.csv sum to work_tangential of history.csv"
    if frame is None or not history:
        checks.check(name, False, "needs a frame and a row")
        return
    nodal, row = frame.point.get("tangential_work_total", np.zeros(0)), history[-1]
    nodal = np.append(nodal, [float(pair["tangential_work"]) for pair in pairs])
    if not np.isclose(frame.time, float(row["time"]), rtol=1e-12, atol=0):
        print(f"skipped {name}: the last frame is at {frame.time:g}, the last row at {row['time']}")
        return
    total, expected = float(np.sum(nodal)), float(row["work_tangential"])
    scale = max(abs(expected), float(np.sum(np.abs(nodal))))
    holds = abs(total - expected) <= WORK_TOLERANCE * scale
    checks.check(name, holds, f"{total:.12g} and {expected:.12g}")


def read_collection(path):
    entries = ElementTree.parse(path).getroot().iter("DataSet")
    return [(float(entry.get("timestep")), entry.get("file")) for entry in entries]


def read_rows(path):
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        return reader.fieldnames or [], list(reader)


def pose_fault(frame):
    """Quaternions are of unit length, and centres of mass lie within their bodies, which are convex or nearly so."""
    body, rotation, center = (frame.cell.get(name) for name in ("body", "rotation", "center"))
    if body is None or rotation is None or center is None:
        return "needs body, rotation and center"
    worst = float(np.max(np.abs(np.linalg.norm(rotation, axis=1) - 1)))
    if worst > 1e-12:
        return f"a quaternion is off unit length by {worst:g}"
    points = vtk_to_numpy(frame.grid.GetPoints().GetData()) + frame.point["displacement"]
    starts = vtk_to_numpy(frame.grid.GetCells().GetOffsetsArray())
    connectivity = vtk_to_numpy(frame.grid.GetCells().GetConnectivityArray())
    owners = np.repeat(body, np.diff(starts))
    for own in np.unique(body[body >= 0]):
        corners = points[connectivity[owners == own]]
        place, slack = center[body == own][0], 1e-9 * np.ptp(corners)
        if np.any(place < corners.min(axis=0) - slack) or np.any(place > corners.max(axis=0) + slack):
            return f"the centre of body {own} is at {place}, beyond its corners"
    return None


def hidden_fault(frame):
    """The surface that VTK draws leaves out what is marked, and nothing else."""
    marks = frame.cell.get("vtkGhostType")
    shown = frame.grid.GetNumberOfCells() - (0 if marks is None else int(np.count_nonzero(marks & HIDDEN_CELL)))
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(frame.grid)
    surface.Update()
    drawn = surface.GetOutput().GetNumberOfCells()
    return None if drawn == shown else f"{drawn} cells are drawn, {shown} are not hidden"


def check_contact_points(checks, folder):
    """Every frame of contacts.pvd: arrays, unit normals, works of no contact that is open."""
    entries, faults, points = read_collection(folder / "contacts.pvd"), [], 0
    for time, file in entries:
        frame = Frame(folder, file, time)
        points = max(points, frame.grid.GetNumberOfPoints())
        if frame.grid.GetNumberOfPoints() == 0:
            continue
        found = [fault for name, count in PAIR_ARRAYS.items() if (fault := array_fault("point", name, count)(frame))]
        if frame.complaint or found:
            faults.append(f"{file}: {frame.complaint or found[0]}")
            continue
        lengths = np.linalg.norm(frame.point["normal"], axis=1)
        if np.max(np.abs(lengths - 1)) > 1e-12:
            faults.append(f"{file}: a normal is not of unit length")
    checks.check("contacts.pvd: arrays and normals", not faults, faults[0] if faults else f"{len(entries)} frames")
    checks.check("contacts.pvd: bodies meet in some frame", points > 0, f"at most {points} points")


def unit_fault(units):
    """Every array has its unit where VTK looks for it, if the case names a length, a time and a mass."""

    def fault(frame):
        stated = frame.field.get("units", np.zeros(0)).astype(np.uint8).tobytes().decode()
        if stated != units:
            return f"field data units is '{stated}', summary.json says '{units}'"
        if len(units.split(",")) != 3:
            return None
        key = vtk.vtkDataArray.UNITS_LABEL()
        for data in (frame.grid.GetPointData(), frame.grid.GetCellData()):
            for array in (data.GetArray(index) for index in range(data.GetNumberOfArrays())):
                has = array.HasInformation() and array.GetInformation().Has(key)
                if bool(has) == (array.GetName() in UNITLESS):
                    return f"{array.GetName()} has {'a' if has else 'no'} unit"
        return None

    return fault


def frame_checks(counts, units):
    """Name of each check of a frame, and a function that says what is wrong, or None."""
    faults = {
        "points and cells as counted in summary.json": count_fault(counts),
        "units of the case and of every array": unit_fault(units),
    }
    cells = (CELL_ARRAYS if counts["elements"] else {}) | (BODY_ARRAYS if counts["bodies"] else {})
    points = POINT_ARRAYS | (TOUCHED_ARRAYS if counts["contact_nodes"] else {})
    for place, arrays in (("point", points), ("cell", cells)):
        for name, components in arrays.items():
            title = f"{place} array {name} has {components} finite component{'s'[: components - 1]}"
            faults[title] = array_fault(place, name, components)
    if counts["contact_nodes"]:
        faults[f"contact_status is one of {STATUSES}"] = status_fault
    if counts["bodies"]:
        faults["bodies stand where their poses say"] = pose_fault
    if counts["bodies"] and not counts["elements"]:
        faults["VTK draws the bodies that are there"] = hidden_fault
    faults["time of fields.pvd equals TimeValue"] = time_fault
    faults["cells have positive size"] = size_fault
    if counts["elements"]:
        faults["von_mises follows from stress"] = mises_fault
    return faults


def check_frames(checks, folder, entries, counts, units):
    """Reads frame after frame, shows the first fault of each kind, returns the last frame."""
    faults, found, frame = frame_checks(counts, units), {}, None
    reading = "VTK reads every frame without error or warning"
    for time, file in entries:
        frame = Frame(folder, file, time)
        if frame.complaint:  # nothing else can be said of it
            found.setdefault(reading, []).append(f"{file}: {frame.complaint}")
            continue
        for name, fault in faults.items():
            if message := fault(frame):
                found.setdefault(name, []).append(f"{file}: {message}")
    for name in (reading, *faults):
        messages = found.get(name, [])
        seen = f"{messages[0]} ({len(messages)} of {len(entries)} frames)" if messages else ""
        checks.check(name, not messages, seen)
    return frame


def check_folder(checks, folder):
    summary = json.loads((folder / "summary.json").read_text())
    counts, units = summary["counts"], summary["case"]["units"]
    entries = read_collection(folder / "fields.pvd")
    columns, history = read_rows(folder / "history.csv")
    _, contacts = read_rows(folder / "contacts.csv")

    times = [time for time, _ in entries]
    ascending = all(before < after for before, after in zip(times, times[1:]))
    checks.check("times of fields.pvd ascend", bool(times) and ascending, f"{len(times)} frames")
    last = check_frames(checks, folder, entries, counts, units)
    checks.check("columns of history.csv", columns == documented_columns("history.csv"), f"{len(history)} rows")
    rows, nodes = len(contacts), counts.get("contact_nodes")
    seen = f"{rows} rows, {nodes} contact nodes"
    checks.check("contacts.csv has one row per contact node", rows == nodes, seen)
    pairs = read_rows(folder / "pairs.csv")[1] if counts["meeting_bodies"] else []
    check_work(checks, last, history, pairs)
    if counts["meeting_bodies"]:
        seen = f"{len(pairs)} rows, {counts['pairs']} pairs"
        checks.check("pairs.csv has one row per pair of bodies that met", len(pairs) == counts["pairs"], seen)
        columns = re.findall(r"`(\w+)`", " ".join(first_cells("pairs.csv")))
        found = read_rows(folder / "pairs.csv")[0]
        checks.check("columns of pairs.csv", found == columns, f"{len(found)} columns")
        check_contact_points(checks, folder)
    leftovers = sorted(path.name for path in folder.rglob(".*.part"))
    checks.check("no temporary file is left", not leftovers, ", ".join(leftovers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=Path, help="results folder of a run")
    folder = parser.parse_args().dir
    vtk.vtkLogger.SetStderrVerbosity(vtk.vtkLogger.VERBOSITY_OFF)  # complaints are shown as checks
    checks = Checks()
    try:
        check_folder(checks, folder)
    except (OSError, KeyError, ValueError, ElementTree.ParseError) as error:
        checks.check("the folder can be read", False, f"{type(error).__name__}: {error}")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
