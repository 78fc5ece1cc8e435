"""The work of friction along the contact surface, from the contact points.

In the plane it is a curve over x for each contact of the case; in space the faces of the body that may touch, seen from
the obstacle's side and coloured by the work per area.

    pvbatch paraview/tangential_work.py results/sliding_block --out work.png --csv work.csv
"""

import argparse
import csv
import sys
from pathlib import Path

from paraview.simple import (
    ColorBy, CreateView, GetColorTransferFunction, GetScalarBar, IntegrateVariables, PVDReader, Render, ResetCamera,
    SaveScreenshot, Show, Text, TrivialProducer, _DisableFirstRenderCameraReset, servermanager,
)  # fmt: skip
from vtkmodules.vtkCommonCore import vtkDataArray, vtkDoubleArray, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPointLocator, vtkPolyData, vtkTable
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter

COLOURS = (("0.0", "0.45", "0.7"), ("0.84", "0.37", "0.0"), ("0.0", "0.62", "0.45"), ("0.8", "0.47", "0.65"))
PER_AREA = "work of friction per area"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="results folder of a run with output.fields_every > 0")
    parser.add_argument("--time", type=float, help="the frame nearest to this time [the last]")
    parser.add_argument("--out", type=Path, help="PNG to write")
    parser.add_argument("--csv", type=Path, help="numbers to write: x, y, z, tangential_work_total")
    given = parser.parse_args()
    if not (given.folder / "contacts.pvd").exists():
        sys.exit(f"{given.folder}: there is no contacts.pvd; run with --set output.fields_every=N")
    return given


def main():
    given = arguments()
    _DisableFirstRenderCameraReset()
    points = PVDReader(FileName=str(given.folder / "contacts.pvd"))
    times = list(points.TimestepValues)
    time = times[-1] if given.time is None else min(times, key=lambda t: abs(t - given.time))
    points.UpdatePipeline(time)
    data = servermanager.Fetch(points)
    total = data.GetPointData().GetArray("tangential_work_total")
    sets = data.GetPointData().GetArray("contact_set")
    count = data.GetNumberOfPoints()
    rows = sorted((*data.GetPoint(i), total.GetValue(i), int(sets.GetValue(i))) for i in range(count))
    if given.csv:
        with open(given.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y", "z", "tangential_work_total", "contact_set"])
            writer.writerows(rows)
    told = f"t = {time:g}, {len(rows)} contact points, work {sum(row[3] for row in rows):.12g}"
    faces = touched_faces(given.folder, time, data)
    if faces.GetNumberOfCells():
        told += surface_picture(faces, data, time, given.out)
    elif given.out:
        units = [unit_of(data.GetPointData().GetArray(name)) for name in ("gap", total.GetName())]
        picture(rows, time, [f" [{unit}]" if unit else "" for unit in units], given.out)
    print(told)


def unit_of(array):
    """Its unit, as the file has it; nothing where there is none."""
    key = vtkDataArray.UNITS_LABEL()
    return (array.GetInformation().Get(key) if array.HasInformation() else None) or ""


def picture(rows, time, units, path):
    """The work over x, as ParaView draws tables: a curve for each contact of the case."""
    sets = sorted({row[4] for row in rows})
    view = CreateView("XYChartView")
    view.ViewSize = [1000, 600]
    view.ShowLegend = int(len(sets) > 1)
    view.ChartTitle = f"Work of friction along the surface, t = {time:g}"
    view.BottomAxisTitle, view.LeftAxisTitle = f"x{units[0]}", f"work of friction{units[1]}"
    for rank, number in enumerate(sets):
        name = f"contact {number}" if len(sets) > 1 else "work of friction"
        table = vtkTable()
        for column, title in ((0, "x"), (3, name)):
            array = vtkDoubleArray()
            array.SetName(title)
            for row in rows:
                if row[4] == number:
                    array.InsertNextValue(row[column])
            table.AddColumn(array)
        producer = TrivialProducer()
        producer.GetClientSideObject().SetOutput(table)
        shown = Show(producer, view, "XYChartRepresentation")
        shown.UseIndexForXAxis, shown.XArrayName = 0, "x"
        shown.SeriesVisibility = [name]
        shown.SeriesColor = [name, *COLOURS[rank % len(COLOURS)]]
    Render(view)
    SaveScreenshot(str(path), view)


def touched_faces(folder, time, contacts):
    """The faces of a solid whose nodes are all contact points, before they moved, with the work per area of each node.

    None of a body in the plane. Where a node is of several contacts, their works per area add up."""
    body = PVDReader(FileName=str(folder / "fields.pvd"))
    body.UpdatePipeline(time)
    grid, faces = servermanager.Fetch(body), vtkPolyData()
    bounds = grid.GetBounds()
    if not bounds[5] > bounds[4]:
        return faces
    skin = vtkDataSetSurfaceFilter()
    skin.SetInputData(grid)
    skin.Update()
    surface, moved, places, locator = skin.GetOutput(), vtkPolyData(), vtkPoints(), vtkPointLocator()
    displacement = surface.GetPointData().GetArray("displacement")
    for n in range(surface.GetNumberOfPoints()):
        places.InsertNextPoint(*(x + u for x, u in zip(surface.GetPoint(n), displacement.GetTuple3(n))))
    moved.SetPoints(places)
    locator.SetDataSet(moved)
    locator.BuildLocator()
    density = vtkDoubleArray()
    density.SetName(PER_AREA)
    density.SetNumberOfValues(surface.GetNumberOfPoints())
    density.Fill(0.0)
    touching = set()
    work, area = (contacts.GetPointData().GetArray(name) for name in ("tangential_work_total", "area"))
    for c in range(contacts.GetNumberOfPoints()):
        if area.GetValue(c) > 0.0:
            node = locator.FindClosestPoint(contacts.GetPoint(c))
            density.SetValue(node, density.GetValue(node) + work.GetValue(c) / area.GetValue(c))
            touching.add(node)
    cells = vtkCellArray()
    for c in range(surface.GetNumberOfCells()):
        cell = surface.GetCell(c)
        if cell.GetCellDimension() == 2 and all(cell.GetPointId(k) in touching for k in range(cell.GetNumberOfPoints())):
            cells.InsertNextCell(cell)
    faces.SetPoints(surface.GetPoints())
    faces.SetPolys(cells)
    faces.GetPointData().AddArray(density)
    return faces


def surface_picture(faces, contacts, time, path):
    """The faces from the side that is touched; what the work per area adds up to over them."""
    producer = TrivialProducer()
    producer.GetClientSideObject().SetOutput(faces)
    whole = servermanager.Fetch(IntegrateVariables(Input=producer))
    work = whole.GetPointData().GetArray(PER_AREA).GetValue(0)
    area = whole.GetCellData().GetArray("Area").GetValue(0)
    if path:
        normals = contacts.GetPointData().GetArray("normal")
        count = normals.GetNumberOfTuples()
        mean = [sum(normals.GetComponent(n, i) for n in range(count)) / count for i in range(3)]
        most = max(range(3), key=lambda i: abs(mean[i]))
        view = CreateView("RenderView")
        view.ViewSize = [1000, 700]
        view.UseColorPaletteForBackground, view.Background = 0, [1, 1, 1]
        view.CameraParallelProjection = 1
        view.CameraFocalPoint, view.CameraPosition = [0.0, 0.0, 0.0], [-x for x in mean]
        view.CameraViewUp = [float(i == (2 if most != 2 else 1)) for i in range(3)]
        shown = Show(producer, view)
        shown.Representation, shown.EdgeColor = "Surface With Edges", [0.4, 0.4, 0.4]
        # Flat colours: a light from the side would change them.
        shown.Ambient, shown.Diffuse = 1.0, 0.0
        ColorBy(shown, ("POINTS", PER_AREA))
        shown.RescaleTransferFunctionToDataRange(True)
        table = GetColorTransferFunction(PER_AREA)
        table.ApplyPreset("Viridis (matplotlib)", True)
        bar = GetScalarBar(table, view)
        units = [unit_of(contacts.GetPointData().GetArray(name)) for name in ("tangential_work_total", "area")]
        bar.Title, bar.ComponentTitle = PER_AREA + (f" [{units[0]}/{units[1]}]" if all(units) else ""), ""
        bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
        shown.SetScalarBarVisibility(view, True)
        text = Show(Text(Text=f"Work of friction on the touched surface, t = {time:g}"), view)
        text.Color, text.FontSize = [0.1, 0.1, 0.1], 16
        ResetCamera(view)
        Render(view)
        SaveScreenshot(str(path), view)
    return f", {faces.GetNumberOfCells()} faces of area {area:.9g}, work on them {work:.12g}"


main()
