#!/usr/bin/env python3
"""The wall of `cases/rock_on_wall.toml`, stepped by `delassus` and by Siconos in turns, in one run on one machine.

    python3 benches/wall_beside_siconos.py [--python /usr/bin/python3] [--scenes small,rest,impact]

Both get the same blocks at the same poses, the same step, friction, restitution and gravity, Moreau-Jean with
theta = 1/2 and Newton's impact law, one thread each. Siconos finds contacts with Bullet and solves friction with
its NSGS; its interpreter is --python (Debian: apt-get install python3-siconos). Scenes:

    small       4 layers of 5, 4, 3, 2 blocks at rest
    rest        the wall with its buttresses, before the rock comes
    impact      the same wall with the rock at its face, coming at 15 m/s

What is counted: the processor time of steps N1 to N2, from the difference of two lengths of run, so that start,
reading and set-up are left out; each side as often as --turns, the least counts. Output is off on both sides.
Errors are compared in one measure, since programs define theirs differently: ‖F_ρ/ρ‖/‖b‖, the natural map in units of
velocity over the free velocity, worst step of the run (`scaled` in docs/src/friction.md).
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SMALL = """
units = "m, s, kg"
[body.wall]
shape = "box"
size = [1.01, 2.01, 1.01]
mass = 4600.0
material = "stone"
position = [-0.505, 0.0, 0.505]
layers = { count = 4, bricks = 5, pitch = 2.01, height = 1.01, along = [0, 1, 0] }
[body.floor]
shape = "box"
size = [50.0, 50.0, 0.1]
fixed = true
position = [0.0, 0.0, -0.05]
[load.weight]
gravity = [0.0, 0.0, -9.81]
[contact.stones]
between = ["bodies", "bodies"]
friction = 0.6
restitution = 0.2
[scheme]
law = "fremond"
theta = 0.5
step = 5e-4
end = 4.0
"""

# Steps to begin and to end counting, and what differs from the case.
SCENES = {
    "small": (5, 105, {}),
    "rest": (2, 5, {}),
    "impact": (2, 5, {"position": [2.6, 0.0, 4.0], "velocity": [-15.0, 0.0, -5.0], "born": 0.0}),
}
# What Siconos' NSGS is asked for, in its own measure, and how many sweeps it may take.
# On the wall a thousand sweeps take it near a minute a step.
THEIRS = [(1e-4, 100), (1e-4, 1000), (1e-6, 1000)]
OURS = [1e-4, 1e-6, 1e-8, None]


# ---------------------------------------------------------------------------------------------------- the scene


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def less(a, b):
    return [x - y for x, y in zip(a, b)]


def places(body):
    """Where the bodies of a pattern stand, as the case file defines them."""
    origin = body["position"]
    if "repeat" in body:
        counts, spacing = body["repeat"]["count"], body["repeat"]["spacing"]
        for i in range(counts[0]):
            for j in range(counts[1]):
                for k in range(counts[2]):
                    yield [o + s * n for o, s, n in zip(origin, spacing, (i, j, k))]
    elif "layers" in body:
        own = body["layers"]
        for layer in range(own["count"]):
            bricks = own["bricks"] - layer
            for brick in range(bricks):
                along = (brick - (bricks - 1) / 2) * own["pitch"]
                lift = [0.0, 0.0, own["height"] * layer]
                yield [o + along * a + z for o, a, z in zip(origin, own["along"], lift)]
    else:
        yield origin


def quaternion(body):
    if "turn" not in body:
        return [1.0, 0.0, 0.0, 0.0]
    axis, half = body["turn"]["axis"], body["turn"]["angle"] / 2
    norm = math.sqrt(dot(axis, axis))
    return [math.cos(half)] + [math.sin(half) * a / norm for a in axis]


def hull(points):
    """Triangles of the convex hull of a few points in general position, counter-clockwise from outside."""
    found, n = [], len(points)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                normal = cross(less(points[j], points[i]), less(points[k], points[i]))
                sides = [dot(normal, less(p, points[i])) for m, p in enumerate(points) if m not in (i, j, k)]
                if all(side < 0 for side in sides):
                    found.append((points[i], points[j], points[k]))
                elif all(side > 0 for side in sides):
                    found.append((points[i], points[k], points[j]))
    return found


def moments(points):
    """Volume, centroid and inertia about it, at density 1, of the hull of some points: a sum over tetrahedra."""
    volume, first, second = 0.0, [0.0] * 3, [[0.0] * 3 for _ in range(3)]
    for a, b, c in hull(points):
        part = dot(a, cross(b, c)) / 6
        volume += part
        total = [sum(x) for x in zip(a, b, c)]
        for r in range(3):
            first[r] += part * total[r] / 4
            for s in range(3):
                second[r][s] += part / 20 * (sum(p[r] * p[s] for p in (a, b, c)) + total[r] * total[s])
    centroid = [x / volume for x in first]
    about = [[second[r][s] - volume * centroid[r] * centroid[s] for s in range(3)] for r in range(3)]
    trace = about[0][0] + about[1][1] + about[2][2]
    inertia = [[(trace if r == s else 0.0) - about[r][s] for s in range(3)] for r in range(3)]
    return volume, centroid, inertia


def matter(body):
    """Mass, inertia and, of a polyhedron, its corners about the centre."""
    if body["shape"] == "box":
        a, b, c = body["size"]
        mass = body.get("mass", 0.0)
        inertia = [mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b)]
        return mass, [[inertia[r] if r == s else 0.0 for s in range(3)] for r in range(3)], None
    volume, centroid, inertia = moments(body["vertices"])
    density = body["density"]
    return volume * density, [[density * x for x in row] for row in inertia], [less(p, centroid) for p in body["vertices"]]


def scene(case):
    """A case of boxes and polyhedra as plain data."""
    bodies = []
    for body in case["body"].values():
        mass, inertia, corners = matter(body)
        for place in places(body):
            bodies.append({
                "fixed": body.get("fixed", False), "size": body.get("size"), "corners": corners, "mass": mass,
                "inertia": inertia, "pose": place + quaternion(body), "born": body.get("born", 0.0),
                "velocity": body.get("velocity", [0.0] * 3) + body.get("spin", [0.0] * 3),
            })
    contact = next(iter(case["contact"].values()))
    return {
        "bodies": bodies, "friction": contact["friction"], "restitution": contact["restitution"],
        "gravity": next(iter(case["load"].values()))["gravity"], "step": case["scheme"]["step"],
    }


# ---------------------------------------------------------------------------------------------------- Siconos


def siconos(data):
    """Steps a scene; JSON lines with the processor and wall time since N1 steps were taken."""
    import numpy as np
    import siconos.kernel as kernel
    import siconos.numerics as numerics
    from siconos.mechanics import collision
    from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

    options = SiconosBulletOptions()
    options.contactBreakingThreshold = 0.04
    options.perturbationIterations = 3
    options.minimumPointsPerturbationThreshold = 3
    manager = SiconosBulletCollisionManager(options)
    manager.insertNonSmoothLaw(kernel.NewtonImpactFrictionNSL(data["restitution"], 0.0, data["friction"], 3), 0, 0)
    h, last = data["step"], data["to"]
    system = kernel.NonSmoothDynamicalSystem(0.0, h * (last + 2))
    kept, waiting, shapes = [], [], {}

    def shape(body):
        key = json.dumps([body["size"], body["corners"]])
        if key not in shapes:
            own = collision.SiconosBox(*body["size"]) if body["size"] else collision.SiconosConvexHull(np.array(body["corners"]))
            # Exact sizes: nothing is added outside, and Bullet's margin lies inside.
            own.setOutsideMargin(0.0)
            own.setInsideMargin(data["margin"])
            shapes[key] = own
        return shapes[key]

    for body in data["bodies"]:
        contactors = collision.SiconosContactorSet()
        contactors.append(collision.SiconosContactor(shape(body), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 0))
        kept.append(contactors)
        if body["fixed"]:
            manager.insertStaticContactorSet(contactors, body["pose"])
            continue
        own = collision.RigidBodyDS(body["pose"], body["velocity"], body["mass"], np.array(body["inertia"]))
        own.setUseContactorInertia(False)
        own.setContactors(contactors)
        own.setFExtPtr([body["mass"] * g for g in data["gravity"]])
        kept.append(own)
        if body["born"] > 0.0:
            waiting.append((body["born"], own))
        else:
            system.insertDynamicalSystem(own)

    asked = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    asked.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = data["sweeps"]
    asked.dparam[numerics.SICONOS_DPARAM_TOL] = data["tolerance"]
    if data["freezing"]:
        asked.iparam[numerics.SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT] = data["freezing"]
    friction = kernel.FrictionContact(3, asked)
    friction.setMaxSize(0)
    friction.setMStorageType(numerics.NM_SPARSE_BLOCK)
    friction.setKeepLambdaAndYState(True)
    simulation = kernel.TimeStepping(system, kernel.TimeDiscretisation(0.0, h))
    simulation.insertIntegrator(kernel.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(friction)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(kernel.SICONOS_TS_NONLINEAR)
    simulation.setNewtonMaxIteration(5)
    simulation.setNewtonTolerance(1e-8)
    simulation.setWarnOnNonConvergence(False)

    begin, worst, sweeps, out = None, 0.0, 0, 0.0
    for step in range(last):
        if step == data["from"]:
            begin = (time.process_time(), time.monotonic())
            out = 0.0
        while waiting and waiting[0][0] <= (step + 0.5) * h:
            system.insertDynamicalSystem(waiting.pop(0)[1])
        simulation.computeOneStep()
        # What is looked at here is not counted.
        paused = time.process_time()
        error = scaled_error(friction, numerics, np)
        solver = friction.numericsSolverOptions()
        taken = int(solver.iparam[numerics.SICONOS_IPARAM_ITER_DONE])
        contacts = friction.getSizeOutput() // 3
        simulation.clearNSDSChangeLog()
        spent = time.process_time() - paused
        simulation.nextStep()
        if begin is None:
            continue
        out, worst, sweeps = out + spent, max(worst, error), max(sweeps, taken)
        # One line after each step: the last one counts, also where time is up.
        print(json.dumps({
            "steps": step + 1 - data["from"], "cpu": time.process_time() - begin[0] - out,
            "wall": time.monotonic() - begin[1] - out, "error": worst, "sweeps": sweeps, "contacts": contacts,
            "own_error": float(solver.dparam[numerics.SICONOS_DPARAM_RESIDU]),
            "newton": simulation.getNewtonCumulativeNbIterations(),
        }), flush=True)


def scaled_error(friction, numerics, np):
    """The natural map of the step's cone problem in units of velocity, over the free velocity."""
    size = friction.getSizeOutput()
    if size == 0:
        return 0.0
    problem = friction.frictionContactProblemPtr()
    p, u, b = (np.array(x, dtype=float)[:size].reshape(-1, 3) for x in (friction.z(), friction.w(), friction.q()))
    mu = np.array(problem.mu)[: len(p)]
    trace = np.array([sum(numerics.NM_get_value(problem.M, 3 * c + r, 3 * c + r) for r in range(3)) for c in range(len(p))])
    rho = 1.0 / trace
    forward = u.copy()
    forward[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    x = p - rho[:, None] * forward
    projected = project(x, mu, np)
    return float(np.linalg.norm((p - projected) / rho[:, None]) / np.linalg.norm(b))


def project(x, mu, np):
    """Onto the friction cone, contact by contact."""
    normal, tangent = x[:, 0], np.linalg.norm(x[:, 1:], axis=1)
    inside, polar = tangent <= mu * normal, mu * tangent <= -normal
    height = (normal + mu * tangent) / (1.0 + mu * mu)
    way = x[:, 1:] / np.where(tangent > 0.0, tangent, 1.0)[:, None]
    onto = np.column_stack([height, (mu * height)[:, None] * way])
    return np.where(inside[:, None], x, np.where(polar[:, None], 0.0, onto))


# ---------------------------------------------------------------------------------------------------- delassus


def one_thread():
    return dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")


def delassus(binary, case, folder, steps, tolerance):
    """Processor and wall time of a run of so many steps, and its summary."""
    h = tomllib.loads(case.read_text())["scheme"]["step"]
    sets = [f"scheme.end={steps * h!r}", "scheme.law=newton", "output.fields_every=0", "output.history_every=0"]
    sets += ["output.trajectory_every=0", f"solver.tolerance={tolerance}" if tolerance else "solver.tolerance="]
    command = [binary, "run", case, "--quiet", "--threads", "1", "--out", folder / "out"]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    for one in sets:
        command += ["--set", one]
    done = subprocess.run(command, env=one_thread(), capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1) or not (folder / "out/summary.json").exists():
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()[-500:]}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, wall, json.loads((folder / "out/summary.json").read_text())


# ---------------------------------------------------------------------------------------------------- side by side


def prepared(name, folder):
    """The scene as a case file and as plain data."""
    first, last, changes = SCENES[name]
    text = SMALL if name == "small" else (ROOT / "cases/rock_on_wall.toml").read_text()
    for key, value in changes.items():
        # Only the rock is born, has a velocity and stands at this place.
        old = next(line for line in text.split("[body.rock]")[1].splitlines() if line.startswith(f"{key} ="))
        text = text.replace(old, f"{key} = {value}")
    case = folder / f"{name}.toml"
    case.write_text(text)
    return case, dict(scene(tomllib.loads(text)), **{"from": first, "to": last})


def measure(name, options, folder):
    """Rows of one scene: both programs in turns, the least time of each."""
    case, data = prepared(name, folder)
    theirs, ours = {}, {}
    for _ in range(options.turns):
        for asked in wanted(options):
            data.update(tolerance=asked[0], sweeps=asked[1], freezing=options.freezing, margin=0.01)
            plain = folder / "scene.json"
            plain.write_text(json.dumps(data))
            row = run_siconos(options, plain)
            if row:
                keep(theirs, asked, row)
        for asked in OURS:
            spans = [least(options, (case, folder), steps, asked) for steps in (data["from"], data["to"])]
            steps, solver = data["to"] - data["from"], spans[1][2]["solver"]
            keep(ours, asked, {
                "cpu": (spans[1][0] - spans[0][0]) / steps, "wall": (spans[1][1] - spans[0][1]) / steps,
                "error": solver["largest_error"], "sweeps": solver["most_iterations"],
            })
    return theirs, ours, data["to"] - data["from"]


def least(options, place, steps, asked):
    """The least times of a few runs of so many steps, which are short."""
    runs = [delassus(options.delassus, *place, steps, asked) for _ in range(options.repeats)]
    return min(run[0] for run in runs), min(run[1] for run in runs), runs[-1][2]


def wanted(options):
    """What Siconos is asked for."""
    if not options.asked:
        return THEIRS
    return [(float(tolerance), int(sweeps)) for tolerance, sweeps in (one.split(":") for one in options.asked.split(","))]


def run_siconos(options, plain):
    """A row per step; where time is up, over the steps that were taken."""
    command = [options.python, Path(__file__), "--siconos", plain]
    try:
        done = subprocess.run(command, env=one_thread(), capture_output=True, text=True, check=False, timeout=options.limit)
        out, said = done.stdout, done.stderr
    except subprocess.TimeoutExpired as cut:
        out, said = (cut.stdout or b"").decode(), "no step was counted within --limit"
    lines = [line for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    if not lines:
        print(f"   Siconos: {said.strip()[-300:]}", flush=True)
        return None
    row = json.loads(lines[-1])
    return dict(row, cpu=row["cpu"] / row["steps"], wall=row["wall"] / row["steps"])


def keep(rows, key, row):
    """The turn that took the least processor time."""
    if key not in rows or row["cpu"] < rows[key]["cpu"]:
        rows[key] = row


def told(name, theirs, ours, steps):
    print(f"\n{name}, {steps} steps counted")
    print(f"{'program':<28} {'CPU s/step':>11} {'wall s/step':>12} {'error':>9} {'most sweeps':>12} {'ratio of CPU':>13}")
    for asked, row in ours.items():
        label = f"delassus {asked:.0e}" if asked else "delassus as it is"
        print(f"{label:<28} {row['cpu']:11.5f} {row['wall']:12.5f} {row['error']:9.1e} {row['sweeps']:12}")
    for (tolerance, sweeps), row in theirs.items():
        # What it takes us to be at least as exact.
        equal = [own["cpu"] for own in ours.values() if own["error"] <= row["error"]]
        ratio = f"{row['cpu'] / min(equal):13.1f}" if equal else f"{'-':>13}"
        label = f"Siconos {tolerance:.0e}, {sweeps} sweeps"
        print(f"{label:<28} {row['cpu']:11.5f} {row['wall']:12.5f} {row['error']:9.1e} {row['sweeps']:12} {ratio}"
              f"   {row['steps']} steps, {row['contacts']} contacts, {row['newton']} Newton iterations, its own error {row['own_error']:.1e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--scenes", default="small,rest,impact")
    add("--turns", type=int, default=1)
    add("--repeats", type=int, default=3, help="runs of delassus of each length and turn")
    add("--python", default="/usr/bin/python3", help="interpreter that has Siconos")
    add("--delassus", type=Path, default=ROOT / "target/release/delassus")
    add("--freezing", type=int, default=0, help="sweeps for which Siconos leaves out contacts that no longer move")
    add("--asked", help="of Siconos only these, TOLERANCE:SWEEPS,...")
    add("--limit", type=float, default=3600, help="seconds for each run of Siconos")
    add("--out", type=Path, default=Path("results/wall_beside_siconos.json"))
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    everything = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.scenes.split(","):
            theirs, ours, steps = measure(name, options, Path(folder))
            told(name, theirs, ours, steps)
            everything[name] = {
                "siconos": [dict(row, asked=asked) for asked, row in theirs.items()],
                "delassus": [dict(row, asked=asked) for asked, row in ours.items()],
            }
            options.out.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--siconos"]:
        siconos(json.loads(Path(sys.argv[2]).read_text()))
    else:
        main()
