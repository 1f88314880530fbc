// N equal balls that fall into an open box: numbers and pairs that balls_verlet.cpp and
// balls_cvode.cpp share. Hertz contact, damping from the restitution at the start of a contact,
// regularized friction; a ball on a plane or on another ball. Those of scenes.py.
// Input: side of the box [m], then per ball position [m], velocity [m/s], angular velocity [rad/s].
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

const double RADIUS = 0.05, DENSITY = 7850, MODULUS = 2.1e9, POISSON = 0.3, RESTITUTION = 0.7;
const double FRICTION = 0.5, GRAVITY = 9.81, SMALL_SPEED = 0.01, LARGEST_DAMPING = 2000;
const double MASS = DENSITY * 4 / 3 * M_PI * RADIUS * RADIUS * RADIUS;
const double INERTIA = 0.4 * MASS * RADIUS * RADIUS;
const double STIFFNESS = MODULUS / (2 * (1 - POISSON * POISSON)) * 4 / 3;
const double BALL_ON_PLANE = STIFFNESS * std::sqrt(RADIUS);
const double BALL_ON_BALL = STIFFNESS * std::sqrt(RADIUS / 2);
const int PLANES = 5;

struct Vec {
    double x, y, z;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

const Vec NORMALS[PLANES] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};

struct Ball {
    Vec position, velocity, angular;
};

// Balls i and j, or the plane -1 - j; damping frozen at the start [s/m], negative out of contact.
struct Pair {
    int i, j;
    double damping;
};

struct Input {
    double side;
    std::vector<Ball> balls;
};

inline double cpu_time()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

inline Input read_input()
{
    Input input{};
    Ball b;
    if (scanf("%lf", &input.side) != 1)
        return input;
    while (scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf", &b.position.x, &b.position.y, &b.position.z,
                 &b.velocity.x, &b.velocity.y, &b.velocity.z, &b.angular.x, &b.angular.y,
                 &b.angular.z) == 9)
        input.balls.push_back(b);
    return input;
}

inline double frozen_damping(double speed)
{
    double c = speed > SMALL_SPEED ? RESTITUTION : 0;
    return c > 0 ? std::fmin(LARGEST_DAMPING, 8 * (1 - c) / (5 * c * speed)) : LARGEST_DAMPING;
}

// Slip speed that divides the friction: not below a third of the small speed.
inline double regularized(double slip)
{
    if (slip >= SMALL_SPEED)
        return slip;
    return slip * slip / SMALL_SPEED * (1 - slip / (3 * SMALL_SPEED)) + SMALL_SPEED / 3;
}

// The neighbours closer than `skin`, found by cells, with the damping of the pairs before; by i.
class Neighbours {
public:
    std::vector<Pair> pairs;
    long builds = 0;

    Neighbours(double side, double skin) : side(side), skin(skin) {}

    double offset(int plane) const { return plane ? -side / 2 : 0; }

    template <class Position> void build(int count, Position position)
    {
        std::vector<Pair> old;
        for (auto &pair : pairs)
            if (pair.damping >= 0)
                old.push_back(pair);
        pairs.clear();
        fill(count, position);
        for (int i = 0; i < count; i++)
            near_ball(i, position);
        // Both lists are in the order of i alone.
        size_t first = 0;
        for (auto &pair : old) {
            while (first < pairs.size() && pairs[first].i < pair.i)
                first++;
            for (size_t k = first; k < pairs.size() && pairs[k].i == pair.i; k++)
                if (pairs[k].j == pair.j)
                    pairs[k].damping = pair.damping;
        }
        builds++;
    }

    // Builds if a ball has moved so far that a pair outside the list may touch.
    template <class Position> void refresh(int count, Position position)
    {
        double far = 0;
        for (int i = 0; i < count; i++) {
            Vec moved = position(i) - built[i];
            far = std::fmax(far, dot(moved, moved));
        }
        if (far > skin * skin / 4)
            build(count, position);
    }

private:
    static const int LAYERS = 64;
    double side, skin;
    int columns = 0;
    std::vector<std::vector<int>> cells;
    std::vector<Vec> built;

    static int clamped(double place, int count)
    {
        return (int)std::fmin(std::fmax(std::floor(place), 0), count - 1);
    }
    void place(Vec p, int at[3]) const
    {
        double size = 2 * RADIUS + skin;
        at[0] = clamped((p.x + side / 2) / size, columns);
        at[1] = clamped((p.y + side / 2) / size, columns);
        at[2] = clamped(p.z / size, LAYERS);
    }
    std::vector<int> &cell(int a, int b, int c) { return cells[(a * columns + b) * LAYERS + c]; }

    template <class Position> void fill(int count, Position position)
    {
        columns = (int)(side / (2 * RADIUS + skin)) + 1;
        cells.assign((size_t)columns * columns * LAYERS, {});
        built.resize(count);
        for (int i = 0; i < count; i++) {
            int at[3];
            built[i] = position(i);
            place(built[i], at);
            cell(at[0], at[1], at[2]).push_back(i);
        }
    }

    template <class Position> void near_ball(int i, Position position)
    {
        int at[3];
        double reach = 2 * RADIUS + skin;
        place(position(i), at);
        for (int a = std::max(at[0] - 1, 0); a <= std::min(at[0] + 1, columns - 1); a++)
            for (int b = std::max(at[1] - 1, 0); b <= std::min(at[1] + 1, columns - 1); b++)
                for (int c = std::max(at[2] - 1, 0); c <= std::min(at[2] + 1, LAYERS - 1); c++)
                    for (int j : cell(a, b, c)) {
                        Vec apart = position(j) - position(i);
                        if (j > i && dot(apart, apart) < reach * reach)
                            pairs.push_back({i, j, -1});
                    }
        for (int s = 0; s < PLANES; s++)
            if (dot(position(i), NORMALS[s]) - offset(s) < RADIUS + skin)
                pairs.push_back({i, -1 - s, -1});
    }
};
