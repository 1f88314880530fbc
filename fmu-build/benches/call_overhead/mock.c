/* One ball over one fixed box, written by hand for this scene: what an evaluation costs without
   generality, checks and the guards of an FMI function.

   Order: set_states copies x; derivatives evaluates f(x); indicators evaluates z(x) and takes the
   gap from derivatives where that needed it. A contact is frozen between events, so `contact` and
   `damping` are parameters here.

   States x: position p [m], orientation q (w, x, y, z; body to world), velocity v of the origin
   [m/s], angular velocity w in body axes [rad/s]. Everything the FMU has as a parameter is one here
   too: mass, centre of mass, inertia tensor, pose of the box, sizes, material data.

   Formulas, with R the rotation of q/|q|, n the normal from box to ball, g the gap:
     q' = 1/2 q (0, w) + (1 - |q|^2) q
     f_n = max(0, k delta^(3/2) (1 + d delta'))   delta = max(0, -g - 2 z_eps)   delta' = -v_c.n
     f_t = -mu f_n v_t/reg(|v_t|, v_small)        tau = -mu_r R_c f_n w_w/reg(|w_w|, w_small)
     w' = I^-1 (R^T (tau_o - r x f) - w x I w)    v' = f/m + g - w_w' x r - w_w x (w_w x r)
   with r = R c from the origin to the centre of mass; z = g in contact, g + 2 z_eps otherwise. */
#include <math.h>
#include <stddef.h>
#include <string.h>

/* -O2 alone leaves calls in the middle of the arithmetic, which cost a third more. */
#define INLINE static inline __attribute__((always_inline))

typedef struct {
    double x, y, z;
} vec;

typedef struct {
    vec row[3];
} mat;

/* The layout is that of `Parameters` in mock.rs. */
typedef struct {
    double mass, center_of_mass[3], inertia[9], inverse_inertia[9]; /* matrices by rows */
    double gravity[3];
    double box_position[3], box_rotation[9], half[3]; /* half edges of the box less r_box */
    double r_box, r_ball;                             /* smoothing radius, radius of the ball */
    double z_eps, stiffness, damping;
    double mu, v_small, mu_r_arm, w_small; /* mu_r_arm = mu_r R_c */
    double contact;                        /* 1 in contact, 0 otherwise */
} parameters;

typedef struct {
    double inverse_mass;
    vec center_of_mass, gravity;
    mat inertia, inverse_inertia;
    vec box_position;
    mat box_rotation;
    vec half;
    double r_box, r_ball, r_sum, z_eps_2, stiffness, damping, mu, v_small, mu_r_arm, w_small;
    int contact;
    int gap_known;
    double gap;
    double x[13];
} model;

INLINE vec make(const double *a) { return (vec){a[0], a[1], a[2]}; }
INLINE vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
INLINE vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
INLINE vec scale(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
INLINE double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
INLINE vec times(const mat *m, vec a) {
    return (vec){dot(m->row[0], a), dot(m->row[1], a), dot(m->row[2], a)};
}
INLINE vec transposed_times(const mat *m, vec a) {
    return add(add(scale(m->row[0], a.x), scale(m->row[1], a.y)), scale(m->row[2], a.z));
}
INLINE mat rows(const double *a) { return (mat){{make(a), make(a + 3), make(a + 6)}}; }

INLINE mat rotation(const double *q) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double s = 2.0 / (w * w + x * x + y * y + z * z);
    return (mat){{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                  {s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
                  {s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
}

/* Nearest edge or corner of the box to a point outside two or three slabs: d = |c| - half. */
static double edge_or_corner(vec c, vec d, vec *q, vec *n) {
    vec away = {d.x > 0.0 ? copysign(d.x, c.x) : 0.0, d.y > 0.0 ? copysign(d.y, c.y) : 0.0,
                d.z > 0.0 ? copysign(d.z, c.z) : 0.0};
    double distance = sqrt(dot(away, away));
    *n = scale(away, 1.0 / distance);
    *q = sub(c, away);
    return distance;
}

/* Gap [m]; normal and contact point in world axes where `point` is not null. */
INLINE double proximity(const model *m, vec ball, vec *normal, vec *point) {
    vec c = transposed_times(&m->box_rotation, sub(ball, m->box_position));
    vec d = {fabs(c.x) - m->half.x, fabs(c.y) - m->half.y, fabs(c.z) - m->half.z};
    vec q = c, n = {0.0, 0.0, 0.0};
    double distance;
    /* Over a face, or inside and nearest to it: the other two are inside their slabs. */
    if (d.x <= 0.0 && d.y <= 0.0 && d.z >= d.x && d.z >= d.y) {
        n.z = copysign(1.0, c.z);
        q.z = n.z * m->half.z;
        distance = d.z;
    } else if (d.y <= 0.0 && d.z <= 0.0 && d.x >= d.y) {
        n.x = copysign(1.0, c.x);
        q.x = n.x * m->half.x;
        distance = d.x;
    } else if (d.x <= 0.0 && d.z <= 0.0) {
        n.y = copysign(1.0, c.y);
        q.y = n.y * m->half.y;
        distance = d.y;
    } else {
        distance = edge_or_corner(c, d, &q, &n);
    }
    if (point) {
        *normal = times(&m->box_rotation, n);
        vec on_box = times(&m->box_rotation, add(q, scale(n, m->r_box)));
        vec p1 = add(m->box_position, on_box);
        vec p2 = sub(ball, scale(*normal, m->r_ball));
        *point = scale(add(p1, p2), 0.5);
    }
    return distance - m->r_sum;
}

/* v/reg(|v|, small). */
INLINE vec regularized(vec v, double small) {
    double speed = sqrt(dot(v, v));
    if (speed < small)
        speed = speed * speed / small * (1.0 - speed / (3.0 * small)) + small / 3.0;
    return scale(v, 1.0 / speed);
}

INLINE void contact_force(model *m, vec p, vec v, vec omega, vec *force, vec *torque) {
    vec normal, point;
    double gap = proximity(m, p, &normal, &point);
    m->gap = gap;
    m->gap_known = 1;
    vec arm = sub(point, p);
    vec velocity = add(v, cross(omega, arm));
    double rate = -dot(velocity, normal);
    double depth = -gap - m->z_eps_2;
    if (depth < 0.0)
        depth = 0.0;
    double normal_force = depth * sqrt(depth) * m->stiffness * (1.0 + rate * m->damping);
    if (normal_force < 0.0)
        normal_force = 0.0;
    vec slip = add(velocity, scale(normal, rate));
    vec friction = scale(regularized(slip, m->v_small), -normal_force * m->mu);
    vec rolling = scale(regularized(omega, m->w_small), -normal_force * m->mu_r_arm);
    *force = add(scale(normal, normal_force), friction);
    *torque = add(cross(arm, *force), rolling);
}

size_t mock_size(void) { return sizeof(model); }

void mock_init(void *instance, const parameters *p) {
    model *m = instance;
    memset(m, 0, sizeof *m);
    m->inverse_mass = 1.0 / p->mass;
    m->center_of_mass = make(p->center_of_mass);
    m->inertia = rows(p->inertia);
    m->inverse_inertia = rows(p->inverse_inertia);
    m->gravity = make(p->gravity);
    m->box_position = make(p->box_position);
    m->box_rotation = rows(p->box_rotation);
    m->half = make(p->half);
    m->r_box = p->r_box;
    m->r_ball = p->r_ball;
    m->r_sum = p->r_box + p->r_ball;
    m->z_eps_2 = 2.0 * p->z_eps;
    m->stiffness = p->stiffness;
    m->damping = p->damping;
    m->mu = p->mu;
    m->v_small = p->v_small;
    m->mu_r_arm = p->mu_r_arm;
    m->w_small = p->w_small;
    m->contact = p->contact != 0.0;
}

int mock_set_states(void *instance, const double *states, size_t n) {
    model *m = instance;
    (void)n;
    memcpy(m->x, states, sizeof m->x);
    m->gap_known = 0;
    return 0;
}

int mock_derivatives(void *instance, double *rates, size_t n) {
    model *m = instance;
    const double *x = m->x, *q = x + 3;
    (void)n;
    vec p = make(x), v = make(x + 7), w = make(x + 10);
    mat r_wb = rotation(q);
    vec omega = times(&r_wb, w);
    vec r = times(&r_wb, m->center_of_mass);
    vec torque_b = scale(cross(w, times(&m->inertia, w)), -1.0), a = m->gravity;
    if (m->contact) {
        vec force, torque;
        contact_force(m, p, v, omega, &force, &torque);
        torque_b = add(torque_b, transposed_times(&r_wb, sub(torque, cross(r, force))));
        a = add(a, scale(force, m->inverse_mass));
    }
    vec alpha_b = times(&m->inverse_inertia, torque_b);
    vec alpha = times(&r_wb, alpha_b);
    a = sub(a, add(cross(alpha, r), cross(omega, cross(omega, r))));

    double pull = 1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    rates[0] = v.x;
    rates[1] = v.y;
    rates[2] = v.z;
    rates[3] = 0.5 * (-q[1] * w.x - q[2] * w.y - q[3] * w.z) + pull * q[0];
    rates[4] = 0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y) + pull * q[1];
    rates[5] = 0.5 * (q[0] * w.y + q[3] * w.x - q[1] * w.z) + pull * q[2];
    rates[6] = 0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x) + pull * q[3];
    rates[7] = a.x;
    rates[8] = a.y;
    rates[9] = a.z;
    rates[10] = alpha_b.x;
    rates[11] = alpha_b.y;
    rates[12] = alpha_b.z;
    return 0;
}

int mock_indicators(void *instance, double *indicators, size_t n) {
    model *m = instance;
    (void)n;
    double gap = m->gap_known ? m->gap : proximity(m, make(m->x), NULL, NULL);
    indicators[0] = m->contact ? gap : gap + m->z_eps_2;
    return 0;
}
