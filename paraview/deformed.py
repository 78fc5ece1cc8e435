"""The deformed body, coloured by a field, with contact impulses as arrows.

    pvbatch paraview/deformed.py results/sliding_block --time 0.3 --warp 100 --out block.png
    pvpython paraview/deformed.py results/sliding_block          (the same, kept open as a state: --state block.pvsm)

Without a display: xvfb-run -a pvbatch paraview/deformed.py ...
"""

import argparse
import sys
from pathlib import Path

from paraview.simple import (
    ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, Glyph, PVDReader, Render, ResetCamera,
    SaveScreenshot, SaveState, Show, Text, WarpByVector, _DisableFirstRenderCameraReset, servermanager,
)  # fmt: skip
from vtkmodules.vtkCommonCore import vtkDataArray


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="results folder of a run with output.fields_every > 0")
    parser.add_argument("--time", type=float, help="the frame nearest to this time [the last]")
    parser.add_argument("--warp", type=float, default=1.0, help="factor on displacements [1]")
    parser.add_argument("--field", default="von_mises", help="point or cell array to colour by")
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
    if largest > 0.0:
        arrows.ScaleFactor = 0.12 * size / largest
        pushed = Show(arrows, view)
        pushed.ColorArrayName = ["POINTS", ""]
        pushed.DiffuseColor = pushed.AmbientColor = [0.84, 0.37, 0.0]

    label = Text(Text=f"t = {time:g},  displacements x {given.warp:g},  largest impulse {largest:.3g}{unit_of_impulse}")
    text = Show(label, view)
    text.Color, text.FontSize = [0.1, 0.1, 0.1], 16
    ResetCamera(view)
    Render(view)
    if given.out:
        SaveScreenshot(str(given.out), view)
    if given.state:
        SaveState(str(given.state))
    print(f"t = {time:g}, {given.field}, largest impulse {largest:.12g}")


main()
