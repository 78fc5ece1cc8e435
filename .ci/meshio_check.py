#!/usr/bin/env python3
"""Reads every frame of a run with meshio and holds it against the run's own tables.

    python3 -m venv venv && venv/bin/pip install meshio==5.3.5 numpy
    venv/bin/python meshio_check.py results/sliding_block

One line per series of frames; exit code 0 if all hold, 1 if one does not.
"""

import argparse
import csv
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import meshio
import numpy as np

QUATERNIONS = ("rotation",)
VECTORS = ("displacement", "velocity", "contact_impulse", "impulse", "force", "force_mean", "normal")
ROUNDING = 1e-12  # of a product of quaternions, with room
WORK_TOLERANCE = 1e-9  # the two sums run in different orders


def faults(mesh, entry, units):
    """What is wrong with one frame."""
    time = np.asarray(mesh.field_data["TimeValue"]).ravel()
    if time.size != 1 or float(time[0]) != float(entry.get("timestep")):
        yield f"its time is {time}, the list says {entry.get('timestep')}"
    named = bytes(np.asarray(mesh.field_data.get("units", []), dtype=np.uint8)).decode()
    if named != units:
        yield f"its units are '{named}', those of summary.json '{units}'"
    for name, values in mesh.point_data.items():
        if len(values) != len(mesh.points) or not np.all(np.isfinite(values)):
            yield f"{name} has {len(values)} values for {len(mesh.points)} points, or some that are none"
        if (np.ndim(values) == 2) != (name in VECTORS or name.startswith("contact_force")):
            yield f"{name} has the shape {np.shape(values)}"
    cells = sum(len(block.data) for block in mesh.cells)
    for name, blocks in mesh.cell_data.items():
        if sum(map(len, blocks)) != cells:
            yield f"{name} has {sum(map(len, blocks))} values for {cells} cells"
        lengths = np.linalg.norm(np.concatenate(blocks), axis=1) if name in QUATERNIONS else np.ones(1)
        if np.max(np.abs(lengths - 1)) > ROUNDING:
            yield f"{name} has quaternions that are not of unit length"


def check_series(folder, name, units):
    """Reads all frames; returns the last one, and what is wrong with the first that is not as it should be."""
    mesh = None
    entries = list(ElementTree.parse(folder / f"{name}.pvd").getroot().iter("DataSet"))
    for entry in entries:
        if b'NumberOfPoints="0"' in (folder / entry.get("file")).read_bytes():
            continue  # no two bodies meet; meshio reads no grid without points
        mesh = meshio.read(folder / entry.get("file"))
        for fault in faults(mesh, entry, units):
            return mesh, f"{entry.get('file')}: {fault}"
    return mesh, None if entries else "it lists no frames"


def work_fault(mesh, rows):
    """That the works of the last frame add up to those of contacts.csv."""
    # Contacts between rigid bodies stand behind the candidates.
    total = float(np.sum(mesh.point_data["tangential_work_total"][: len(rows)]))
    works = [float(row["tangential_work"]) for row in rows]
    holds = abs(total - sum(works)) <= WORK_TOLERANCE * sum(map(abs, works))
    return None if holds else f"tangential_work_total adds up to {total!r}, contacts.csv to {sum(works)!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=Path, help="results folder of a run with frames")
    folder = parser.parse_args().dir
    summary = json.loads((folder / "summary.json").read_text())
    with open(folder / "contacts.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    failed = 0
    for name in ("fields", "contacts", "obstacles"):
        if not (folder / f"{name}.pvd").exists():
            continue
        mesh, fault = check_series(folder, name, summary["case"]["units"])
        if fault is None and name == "contacts":
            fault = work_fault(mesh, rows)
        kinds = ", ".join(sorted({block.type for block in mesh.cells})) if mesh else ""
        seen = fault or f"{len(mesh.points)} points, {kinds}, {len(mesh.point_data)} point fields"
        print(f"{'FAILED ' if fault else 'ok     '}meshio {meshio.__version__} reads {name}.pvd: {seen}")
        failed += fault is not None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
