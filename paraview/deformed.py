"""The deformed body, coloured by a field, with contact impulses as arrows and the obstacles it may touch.

In the plane it is seen from the front; in space from below the surface that it touches, so that this surface and what
acts on it are seen through the obstacle: --elevation turns it.

    pvbatch paraview/deformed.py results/sliding_block --time 0.3 --warp 100 --out block.png
    pvpython paraview/deformed.py results/sliding_block          (the same, kept open as a state: --state block.pvsm)

Without a display: xvfb-run -a pvbatch paraview/deformed.py ...
"""

import argparse
import sys
from math import cos, radians, sin
from pathlib import Path

from paraview.simple import (
    ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, Glyph, PVDReader, Render, ResetCamera,
    SaveScreenshot, SaveState, Show, Text, Threshold, Transform, WarpByVector, _DisableFirstRenderCameraReset,
    servermanager,
)  # fmt: skip
from vtkmodules.vtkCommonCore import vtkDataArray


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="results folder of a run with output.fields_every > 0")
    parser.add_argument("--time", type=float, help="the frame nearest to this time [the last]")
    parser.add_argument("--warp", type=float, default=1.0, help="factor on displacements [1]")
    parser.add_argument("--field", default="von_mises", help="point or cell array to colour by")
    parser.add_argument("--elevation", type=float, default=-25.0, help="degrees above the touched surface, in space [-25]")
    parser.add_argument("--azimuth", type=float, default=35.0, help="degrees around it, in space [35]")
    parser.add_argument("--out", type=Path, help="PNG to write")
    parser.add_argument("--state", type=Path, help="ParaView state (.pvsm) to write")
    given = parser.parse_args()
    if not (given.folder / "fields.pvd").exists():
        sys.exit(f"{given.folder}: there is no fields.pvd; run with --set output.fields_every=N")
    return given


def color_by(display, proxy, field):
    """Colours by a point or cell array of that name; vectors and tensors by their magnitude."""
    for place, data in (("POINTS", proxy.PointData), ("CELLS", proxy.CellData)):
        if field in data.keys():
            ColorBy(display, (place, field))
            return
    known = sorted(set(proxy.PointData.keys()) | set(proxy.CellData.keys()))
    sys.exit(f"there is no field '{field}'; there are: {', '.join(known)}")


def units_of(proxy, *fields):
    """The unit of each array, as the files have it, in brackets; nothing where there is none."""
    data, key = servermanager.Fetch(proxy), vtkDataArray.UNITS_LABEL()
    arrays = (data.GetPointData().GetArray(field) or data.GetCellData().GetArray(field) for field in fields)
    known = (array.GetInformation().Get(key) if array and array.HasInformation() else None for array in arrays)
    return [f" [{unit}]" if unit else "" for unit in known]


def upwards(folder, time):
    """The axis that is most along the normals of the contacts, towards the bodies; z where there are none."""
    up = [0.0, 0.0, 1.0]
    if (folder / "contacts.pvd").exists():
        points = PVDReader(FileName=str(folder / "contacts.pvd"))
        points.UpdatePipeline(time)
        normals = servermanager.Fetch(points).GetPointData().GetArray("normal")
        count = normals.GetNumberOfTuples() if normals else 0
        sums = [sum(normals.GetComponent(n, i) for n in range(count)) for i in range(3)]
        most = max(range(3), key=lambda i: abs(sums[i]))
        if sums[most]:
            up = [0.0, 0.0, 0.0]
            up[most] = 1.0 if sums[most] > 0.0 else -1.0
    return up


def look(view, up, azimuth, elevation):
    """Without perspective, from beside the two axes across `up`; ResetCamera keeps the direction."""
    along = next(i for i in range(3) if up[i])
    first, second = sorted({0, 1, 2} - {along})
    eye = [sin(radians(elevation)) * x for x in up]
    eye[first] = cos(radians(elevation)) * sin(radians(azimuth))
    eye[second] = -cos(radians(elevation)) * cos(radians(azimuth))
    view.CameraParallelProjection = 1
    view.CameraFocalPoint, view.CameraPosition, view.CameraViewUp = [0.0, 0.0, 0.0], eye, up


def show_obstacles(folder, time, view, middle):
    """Lines in the plane; in space surfaces that are seen through. How many cells there are.

    One that is a single cell is endless and flat: it is drawn below the middle of the deformed body, wherever the factor
    on displacements has taken it."""
    if not (folder / "obstacles.pvd").exists():
        return 0
    obstacles = PVDReader(FileName=str(folder / "obstacles.pvd"))
    obstacles.UpdatePipeline(time)
    sets = servermanager.Fetch(obstacles).GetCellData().GetArray("contact_set")
    for number in sorted({int(sets.GetValue(c)) for c in range(sets.GetNumberOfTuples())}):
        source = Threshold(Input=obstacles, Scalars=["CELLS", "contact_set"], ThresholdMethod="Between")
        source.LowerThreshold = source.UpperThreshold = number
        source.UpdatePipeline(time)
        drawn = servermanager.Fetch(source)
        if drawn.GetNumberOfCells() == 1:
            source = Transform(Input=source)
            source.Transform.Translate = along_itself(drawn.GetCell(0).GetPoints(), middle)
        shown = Show(source, view)
        shown.ColorArrayName = ["POINTS", ""]
        shown.DiffuseColor = shown.AmbientColor = [0.45, 0.5, 0.55]
        shown.Representation = "Surface"
        shown.LineWidth = 3.0
        shown.Opacity = 0.25 if drawn.GetCell(0).GetCellDimension() == 2 else 1.0
    return sets.GetNumberOfTuples()


def along_itself(points, middle):
    """How far to move a line or a plate along itself so that its middle is below another point."""
    count = points.GetNumberOfPoints()
    corners = [points.GetPoint(k) for k in range(count)]
    way = [m - sum(corner[i] for corner in corners) / count for i, m in enumerate(middle)]
    move = [0.0, 0.0, 0.0]
    # The sides of a plate are at right angles: each takes its part of the way.
    for corner in corners[1 : 2 if count == 2 else 4 : 2]:
        side = [x - o for x, o in zip(corner, corners[0])]
        share = sum(w * s for w, s in zip(way, side)) / sum(s * s for s in side)
        move = [m + share * s for m, s in zip(move, side)]
    return move


def main():
    given = arguments()
    _DisableFirstRenderCameraReset()
    body = PVDReader(FileName=str(given.folder / "fields.pvd"))
    times = list(body.TimestepValues)
    time = times[-1] if given.time is None else min(times, key=lambda t: abs(t - given.time))
    body.UpdatePipeline(time)

    view = CreateView("RenderView")
    view.ViewSize = [1000, 700]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    view.ViewTime = time

    warped = WarpByVector(Input=body, Vectors=["POINTS", "displacement"], ScaleFactor=given.warp)
    warped.UpdatePipeline(time)
    shown = Show(warped, view)
    shown.Representation = "Surface With Edges"
    shown.EdgeColor = [0.25, 0.25, 0.25]
    color_by(shown, warped, given.field)
    shown.RescaleTransferFunctionToDataRange(True)
    table = GetColorTransferFunction(given.field)
    table.ApplyPreset("Viridis (matplotlib)", True)
    bar = GetScalarBar(table, view)
    unit, unit_of_impulse = units_of(body, given.field, "contact_impulse")
    bar.Title, bar.ComponentTitle = given.field.replace("_", " ") + unit, ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    shown.SetScalarBarVisibility(view, True)

    arrows = Glyph(Input=warped, GlyphType="Arrow", GlyphMode="All Points")
    arrows.OrientationArray = ["POINTS", "contact_impulse"]
    arrows.ScaleArray = ["POINTS", "contact_impulse"]
    largest = warped.PointData["contact_impulse"].GetRange(-1)[1]
    bounds = warped.GetDataInformation().GetBounds()
    size = max(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4])
    in_space = bounds[5] > bounds[4]
    if in_space:
        # They end where they act: from inside of a solid nothing would be seen.
        arrows.GlyphTransform.Translate = [-1.0, 0.0, 0.0]
        look(view, upwards(given.folder, time), given.azimuth, given.elevation)
    if largest > 0.0:
        arrows.ScaleFactor = 0.12 * size / largest
        pushed = Show(arrows, view)
        pushed.ColorArrayName = ["POINTS", ""]
        pushed.DiffuseColor = pushed.AmbientColor = [0.84, 0.37, 0.0]

    label = Text(Text=f"t = {time:g},  displacements x {given.warp:g},  largest impulse {largest:.3g}{unit_of_impulse}")
    text = Show(label, view)
    text.Color, text.FontSize = [0.1, 0.1, 0.1], 16
    ResetCamera(view)
    if in_space:
        view.OrientationAxesVisibility = 1
        view.CameraParallelScale *= 1.1
    # After that, for an endless one would make the body small.
    middle = [0.5 * (bounds[2 * i] + bounds[2 * i + 1]) for i in range(3)]
    pieces = show_obstacles(given.folder, time, view, middle)
    Render(view)
    if given.out:
        SaveScreenshot(str(given.out), view)
    if given.state:
        SaveState(str(given.state))
    print(f"t = {time:g}, {given.field}, largest impulse {largest:.12g}, {pieces} pieces of obstacles")


main()
