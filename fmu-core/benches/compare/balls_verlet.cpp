// The balls of balls.hpp with fixed steps of the velocity Verlet rule: what the forces cost in plain
// code without FMI, events and error control. balls_verlet STEP STOP STATES < INPUT
// Writes the balls at the end to STATES, in the form of the input, and prints JSON: CPU time [s],
// time of one evaluation at the end [s] with the check whether the neighbours hold, contacts there.
#include "balls.hpp"
#include <cstdlib>

const double SKIN = 0.01;
const int SAMPLES = 15, REPEATS = 200;

static std::vector<Ball> balls;
static std::vector<Vec> forces, torques;
static long contacts;

static Vec position(int i) { return balls[i].position; }

static void add_contact(Pair &pair, const Neighbours &neighbours)
{
    Vec normal, arm;
    double gap, stiffness;
    Ball &a = balls[pair.i];
    if (pair.j >= 0) {
        Vec apart = a.position - balls[pair.j].position;
        double distance = std::sqrt(dot(apart, apart));
        gap = distance - 2 * RADIUS;
        normal = (1 / distance) * apart;
        stiffness = BALL_ON_BALL;
    } else {
        normal = NORMALS[-1 - pair.j];
        gap = dot(a.position, normal) - neighbours.offset(-1 - pair.j) - RADIUS;
        stiffness = BALL_ON_PLANE;
    }
    if (gap >= 0) {
        pair.damping = -1;
        return;
    }
    contacts++;
    arm = -RADIUS * normal;
    Vec velocity = a.velocity + cross(a.angular, arm);
    if (pair.j >= 0) {
        const Ball &b = balls[pair.j];
        velocity = velocity - b.velocity + cross(b.angular, arm);
    }
    double rate = dot(velocity, normal);
    if (pair.damping < 0)
        pair.damping = frozen_damping(std::fabs(rate));
    double load = stiffness * -gap * std::sqrt(-gap) * std::fmax(0, 1 - pair.damping * rate);
    Vec slip = velocity - rate * normal;
    double speed = std::sqrt(dot(slip, slip));
    Vec force = load * normal - (FRICTION * load / regularized(speed)) * slip;
    Vec torque = cross(arm, force);
    forces[pair.i] = forces[pair.i] + force;
    torques[pair.i] = torques[pair.i] + torque;
    if (pair.j >= 0) {
        forces[pair.j] = forces[pair.j] - force;
        torques[pair.j] = torques[pair.j] + torque;
    }
}

static void evaluate(Neighbours &neighbours)
{
    std::fill(forces.begin(), forces.end(), Vec{0, 0, -MASS * GRAVITY});
    std::fill(torques.begin(), torques.end(), Vec{0, 0, 0});
    contacts = 0;
    for (auto &pair : neighbours.pairs)
        add_contact(pair, neighbours);
}

static void kick(double time)
{
    for (size_t i = 0; i < balls.size(); i++) {
        balls[i].velocity = balls[i].velocity + (time / MASS) * forces[i];
        balls[i].angular = balls[i].angular + (time / INERTIA) * torques[i];
    }
}

// A whole step, its time as it would be within a run; the balls stay where they are.
static double time_of_a_step(Neighbours &neighbours)
{
    std::vector<double> samples;
    auto kept = balls;
    for (int sample = 0; sample < SAMPLES; sample++) {
        double begin = cpu_time();
        for (int i = 0; i < REPEATS; i++) {
            kick(1e-12);
            for (auto &ball : balls)
                ball.position = ball.position + 1e-12 * ball.velocity;
            neighbours.refresh((int)balls.size(), position);
            evaluate(neighbours);
            kick(1e-12);
        }
        samples.push_back((cpu_time() - begin) / REPEATS);
    }
    balls = kept;
    std::sort(samples.begin(), samples.end());
    return samples[SAMPLES / 2];
}

int main(int, char **arguments)
{
    Input input = read_input();
    double step = atof(arguments[1]), stop = atof(arguments[2]);
    balls = input.balls;
    int count = (int)balls.size();
    forces.resize(count);
    torques.resize(count);
    double begin = cpu_time();
    Neighbours neighbours(input.side, SKIN);
    neighbours.build(count, position);
    evaluate(neighbours);
    for (long k = 0; k < std::lround(stop / step); k++) {
        kick(step / 2);
        for (auto &ball : balls)
            ball.position = ball.position + step * ball.velocity;
        neighbours.refresh(count, position);
        evaluate(neighbours);
        kick(step / 2);
    }
    double cpu = cpu_time() - begin, energy = 0;
    for (auto &ball : balls)
        energy += MASS / 2 * dot(ball.velocity, ball.velocity);
    FILE *file = fopen(arguments[3], "w");
    if (!file)
        return 1;
    for (auto &b : balls)
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.position.x,
                b.position.y, b.position.z, b.velocity.x, b.velocity.y, b.velocity.z, b.angular.x,
                b.angular.y, b.angular.z);
    fclose(file);
    long touching = contacts;
    printf("{\"cpu\": %.6g, \"step\": %.6g, \"contacts\": %ld, \"energy\": %.6g}\n", cpu,
           time_of_a_step(neighbours), touching, energy);
}
