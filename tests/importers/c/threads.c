/* threads COUNT trajectories|lives ARGUMENTS: two threads, each with instances of its own of one
   library, COUNT one after the other.

   "trajectories": both compute one at the same time; each must have the bits of the one computed
   before on a single thread. "lives": both make, step and free instances as fast as they can; each
   instance must make the same first step. */
#include "fmu.h"
#include <pthread.h>

struct task {
    long count;
    const struct fmu *fmu;
    const struct api *api;
    const double *expected;
    pthread_barrier_t *gate;
    bool same;
};

static void *compute_trajectories(void *argument)
{
    struct task *task = argument;
    for (long i = 0; i < task->count; i++) {
        size_t contacts;
        pthread_barrier_wait(task->gate);
        double *rows = trajectory(task->fmu, task->api, &contacts);
        task->same &= same_bits(task->fmu, rows, task->expected);
        free(rows);
    }
    return NULL;
}

static void *live(void *argument)
{
    struct task *task = argument;
    double *x = numbers(task->fmu->n);
    pthread_barrier_wait(task->gate);
    for (long i = 0; i < task->count; i++) {
        struct instance instance;
        start(&instance, task->fmu, task->api);
        step(&instance, 0, x);
        end(&instance);
        task->same &= memcmp(x, task->expected, task->fmu->n * sizeof *x) == 0;
    }
    free(x);
    return NULL;
}

int main(int count, char **values)
{
    if (count < 3)
        fail("arguments", "too few");
    long number = strtol(values[1], NULL, 10);
    void *(*body)(void *) = strcmp(values[2], "lives") == 0 ? live : compute_trajectories;
    struct fmu fmu = fmu_from_arguments(count - 3, values + 3);
    struct api api = load(fmu.library);
    size_t contacts;
    double *expected = trajectory(&fmu, &api, &contacts);
    pthread_barrier_t gate;
    pthread_t threads[2];
    struct task tasks[2];
    pthread_barrier_init(&gate, NULL, 2);
    for (int i = 0; i < 2; i++) {
        tasks[i] = (struct task){number, &fmu, &api, expected, &gate, true};
        if (pthread_create(&threads[i], NULL, body, &tasks[i]) != 0)
            fail("pthread_create", "failed");
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        if (!tasks[i].same)
            fail(values[2], "a thread got other bits than an instance alone");
    }
    printf("%zu\n", contacts);
    free(expected);
    return dlclose(api.handle);
}
