#!/usr/bin/env python3
"""Times `delassus friction` and Siconos' solvers on the same problems, in one run on one machine.

    python3 benches/beside_siconos.py RUNNER FILE… --tol 1e-8 --limit 20 --out results/beside.jsonl

RUNNER is a program that is given a problem file, --tol and --limit and prints one JSON line per Siconos
solver: {problem, contacts, solver, ok, seconds, error}; it does the timing (best of three, cold start).
Ours is timed the same way, right after it, on one thread. The table shows the fastest Siconos solver
beside `auto`; the JSON lines can be given to `delassus friction --bench DIR --beside FILE`.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def json_lines(command):
    environment = dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not rows:
        print(f"   {' '.join(map(str, command))}: {done.stderr.strip()[-200:]}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("runner", help="program that runs Siconos")
    add("files", nargs="+", type=Path, help="problem files")
    add("--solvers", default="all", help="which Siconos solvers, as RUNNER names them")
    add("--tol", default="1e-8")
    add("--limit", default="20", help="seconds for each solver and problem")
    add("--delassus", type=Path, default=ROOT / "target/release/delassus")
    add("--out", type=Path, default=Path("results/beside.jsonl"))
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    faster = reached = theirs_reached = compared = 0
    with open(options.out, "w") as out:
        for file in options.files:
            limits = ["--tol", options.tol]
            theirs = json_lines([options.runner, file, *limits, "--limit", options.limit, "--solvers", options.solvers])
            ours = json_lines([options.delassus, "friction", file, *limits, "--time-limit", options.limit, "--json"])
            if not ours:
                continue
            for row in theirs:
                print(json.dumps(row), file=out, flush=True)
            auto = ours[0]
            best = min((row for row in theirs if row["ok"]), key=lambda row: row["seconds"], default=None)
            reached += auto["converged"]
            theirs_reached += best is not None
            if best:
                compared += 1
                faster += auto["converged"] and auto["seconds"] < best["seconds"]
            told = f"{best['solver']:<14} {best['seconds']:11.6f}" if best else f"{'none':<14} {'-':>11}"
            ratio = f"{best['seconds'] / auto['seconds']:8.2f}" if best and auto["converged"] else " " * 8
            trail = ", ".join(f"{leg['method']} {leg['iterations']}" for leg in auto["trail"])
            mark = "" if auto["converged"] else f"  NOT SOLVED, {auto['error']:.1e}"
            print(f"{auto['problem'][:48]:<48} {auto['contacts']:>6} {auto['seconds']:11.6f}  {told} {ratio}  {trail}{mark}", flush=True)
    print(f"reached: auto {reached}, any of Siconos' {theirs_reached}; auto faster on {faster} of {compared}")


if __name__ == "__main__":
    main()
