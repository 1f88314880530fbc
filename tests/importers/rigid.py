"""Rotations, and the exact motion of a free axisymmetric body.

Quaternions are (w, x, y, z), body to world. R(q) maps body axes to world axes.
"""

from __future__ import annotations

import numpy as np


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Hamilton product p q."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Quaternion of a turn by an angle [rad] about a unit axis."""
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis, float))])


def rotation(q: np.ndarray) -> np.ndarray:
    """R(q/|q|)."""
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def from_angles_xyz(angles: np.ndarray) -> np.ndarray:
    """Body to world for v_body = R3(c) R2(b) R1(a) v_world, so R = Rx(a) Ry(b) Rz(c)."""
    a, b, c = angles
    return rotation(
        multiply(multiply(about([1, 0, 0], a), about([0, 1, 0], b)), about([0, 0, 1], c))
    )


def free_top(
    q0: np.ndarray, omega_b: np.ndarray, transverse: float, axial: float, time: float
) -> tuple[np.ndarray, np.ndarray]:
    """Orientation and world angular velocity of a free body with inertia (I, I, I3).

    The angular momentum L is fixed in the world and omega = L/I + s e3 with s = (1 - I3/I) omega_3
    constant, so the motion is a turn with L/I about L, applied outside, and a turn with s about
    e3, applied inside: q(t) = turn(L, |L| t/I) q0 turn(e3, s t).
    """
    momentum_w = rotation(q0) @ (np.array([transverse, transverse, axial]) * omega_b)
    size = np.linalg.norm(momentum_w)
    spin = (1 - axial / transverse) * omega_b[2]
    outer = about(momentum_w / size, size / transverse * time)
    q = multiply(multiply(outer, np.asarray(q0, float)), about([0, 0, 1], spin * time))
    return q, momentum_w / transverse + spin * rotation(q)[:, 2]
