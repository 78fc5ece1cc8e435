"""The work of friction along the contact surface at some instants, from the contact points.

    pvbatch paraview/tangential_work.py results/sliding_block --out work.png --csv work.csv
"""

import argparse
import csv
import sys
from pathlib import Path

from paraview.simple import (
    CreateView, PVDReader, Render, SaveScreenshot, Show, TrivialProducer, servermanager,
)  # fmt: skip
from vtkmodules.vtkCommonCore import vtkDataArray, vtkDoubleArray
from vtkmodules.vtkCommonDataModel import vtkTable

COLOURS = (("0.0", "0.45", "0.7"), ("0.84", "0.37", "0.0"), ("0.0", "0.62", "0.45"), ("0.8", "0.47", "0.65"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="results folder of a run with output.fields_every > 0")
    parser.add_argument("--time", type=float, help="the frame nearest to this time [the last]")
    parser.add_argument("--out", type=Path, help="PNG to write")
    parser.add_argument("--csv", type=Path, help="numbers to write: x, y, z, tangential_work_total")
    given = parser.parse_args()
    if not (given.folder / "contacts.pvd").exists():
        sys.exit(f"{given.folder}: there is no contacts.pvd; run with --set output.fields_every=N")
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
    if given.out:
        units = [unit_of(data.GetPointData().GetArray(name)) for name in ("gap", total.GetName())]
        picture(rows, time, units, given.out)
    print(f"t = {time:g}, {len(rows)} contact points, work {sum(row[3] for row in rows):.12g}")


def unit_of(array):
    """Its unit, as the file has it, in brackets; nothing where there is none."""
    key = vtkDataArray.UNITS_LABEL()
    unit = array.GetInformation().Get(key) if array.HasInformation() else None
    return f" [{unit}]" if unit else ""


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


main()
