/*
 * A stand-in for libnvidia-ml.so.1 that is driven by a text file (FAKENVML_STATE), read again
 * whenever it changes. One "key value" pair a line; what is not said has the default of an idle
 * RTX PRO 6000 Blackwell:
 *
 *   count N                 how many GPUs
 *   used.G MIB              memory in use; `total`, `reserved`, `util`, `temp`, `power` (mW) and
 *                           `limit` (mW) likewise; without .G for all GPUs
 *   procs.G PID:MIB,...     compute processes; MIB may be "na"
 *   rc.FUNCTION[.G] CODE    what a function returns
 *   sleep.FUNCTION MS       how long a function takes
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define MIB (1024ULL * 1024ULL)
#define EXPORT __attribute__((visibility("default")))
enum { MAX_PAIRS = 512, MAX_GPUS = 16 };

typedef struct { int index; } device_t;
typedef struct { uint64_t total, free, used; } memory_v1_t;
typedef struct { uint32_t version; uint64_t total, reserved, free, used; } memory_v2_t;
typedef struct { uint32_t gpu, memory; } rates_t;
typedef struct { uint32_t version, sensor; int32_t degrees; } temperature_t;
typedef struct { uint32_t pid; uint64_t used; uint32_t gpu_instance, compute_instance; } process_t;

static struct { char key[96], value[512]; } pairs[MAX_PAIRS];
static int pair_count;
static struct timespec read_at;
static off_t read_size = -1;
static int initialised;
static device_t devices[MAX_GPUS];

static void load(void) {
    const char *path = getenv("FAKENVML_STATE");
    struct stat now;
    if (!path || stat(path, &now)) return;
    if (now.st_size == read_size && now.st_mtim.tv_sec == read_at.tv_sec &&
        now.st_mtim.tv_nsec == read_at.tv_nsec) return;
    FILE *file = fopen(path, "r");
    if (!file) return;
    pair_count = 0;
    while (pair_count < MAX_PAIRS &&
           fscanf(file, "%95s %511s", pairs[pair_count].key, pairs[pair_count].value) == 2)
        pair_count++;
    fclose(file);
    read_at = now.st_mtim;
    read_size = now.st_size;
}

static const char *find(const char *key) {
    for (int i = 0; i < pair_count; i++)
        if (!strcmp(pairs[i].key, key)) return pairs[i].value;
    return NULL;
}

static const char *of_gpu(const char *key, int gpu) {
    char full[128];
    snprintf(full, sizeof full, "%s.%d", key, gpu);
    const char *value = gpu >= 0 ? find(full) : NULL;
    return value ? value : find(key);
}

static uint64_t number(const char *key, int gpu, uint64_t otherwise) {
    const char *value = of_gpu(key, gpu);
    return value ? strtoull(value, NULL, 10) : otherwise;
}

/* Every call passes here: it may be slow, and it may fail. */
static int enter(const char *function, int gpu) {
    char key[128];
    load();
    snprintf(key, sizeof key, "sleep.%s", function);
    uint64_t ms = number(key, -1, 0);
    if (ms) {
        struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000L};
        nanosleep(&pause, NULL);
    }
    snprintf(key, sizeof key, "rc.%s", function);
    int rc = (int)number(key, gpu, 0);
    if (!rc && !initialised && strcmp(function, "nvmlInitWithFlags")) rc = 1;
    return rc;
}

#define ENTER(gpu)                              \
    do {                                        \
        int failed = enter(__func__, gpu);      \
        if (failed) return failed;              \
    } while (0)

EXPORT int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    ENTER(-1);
    initialised = 1;
    return 0;
}

EXPORT const char *nvmlErrorString(int code) {
    static char text[32];
    snprintf(text, sizeof text, "fake error %d", code);
    return text;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *count) {
    ENTER(-1);
    *count = (unsigned)number("count", -1, 8);
    return 0;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, device_t **device) {
    *device = NULL;
    ENTER((int)index);
    devices[index].index = (int)index;
    *device = &devices[index];
    return 0;
}

EXPORT int nvmlDeviceGetName(device_t *d, char *name, unsigned size) {
    ENTER(d->index);
    snprintf(name, size, "NVIDIA RTX PRO 6000 Blackwell Server Edition");
    return 0;
}

EXPORT int nvmlDeviceGetUUID(device_t *d, char *uuid, unsigned size) {
    ENTER(d->index);
    snprintf(uuid, size, "GPU-fake-%d", d->index);
    return 0;
}

static uint64_t total(device_t *d) { return number("total", d->index, 97887) * MIB; }
static uint64_t reserved(device_t *d) { return number("reserved", d->index, 640) * MIB; }
static uint64_t used(device_t *d) { return number("used", d->index, 0) * MIB; }

EXPORT int nvmlDeviceGetMemoryInfo(device_t *d, memory_v1_t *memory) {
    ENTER(d->index);
    memory->total = total(d);
    memory->used = used(d) + reserved(d);
    memory->free = memory->total - memory->used;
    return 0;
}

EXPORT int nvmlDeviceGetMemoryInfo_v2(device_t *d, memory_v2_t *memory) {
    ENTER(d->index);
    if (memory->version != (sizeof *memory | 2u << 24) && memory->version != 2) return 25;
    memory->total = total(d);
    memory->reserved = reserved(d);
    memory->used = used(d);
    memory->free = memory->total - memory->used - memory->reserved;
    return 0;
}

EXPORT int nvmlDeviceGetUtilizationRates(device_t *d, rates_t *rates) {
    ENTER(d->index);
    rates->gpu = (uint32_t)number("util", d->index, 0);
    rates->memory = 0;
    return 0;
}

EXPORT int nvmlDeviceGetTemperatureV(device_t *d, temperature_t *temperature) {
    ENTER(d->index);
    if (temperature->version != (sizeof *temperature | 1u << 24)) return 25;
    temperature->degrees = (int32_t)number("temp", d->index, 31);
    return 0;
}

EXPORT int nvmlDeviceGetTemperature(device_t *d, int sensor, unsigned *degrees) {
    (void)sensor;
    ENTER(d->index);
    *degrees = (unsigned)number("temp", d->index, 31);
    return 0;
}

EXPORT int nvmlDeviceGetPowerUsage(device_t *d, unsigned *milliwatts) {
    ENTER(d->index);
    *milliwatts = (unsigned)number("power", d->index, 34500);
    return 0;
}

EXPORT int nvmlDeviceGetEnforcedPowerLimit(device_t *d, unsigned *milliwatts) {
    ENTER(d->index);
    *milliwatts = (unsigned)number("limit", d->index, 600000);
    return 0;
}

EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(device_t *d, unsigned *count, process_t *out) {
    ENTER(d->index);
    const char *list = of_gpu("procs", d->index);
    unsigned found = 0;
    for (const char *at = list; at && *at; found++) {
        if (out && found < *count) {
            char *rest;
            out[found].pid = (uint32_t)strtoul(at, &rest, 10);
            out[found].used = strncmp(rest, ":na", 3) ? strtoull(rest + 1, NULL, 10) * MIB : UINT64_MAX;
            out[found].gpu_instance = out[found].compute_instance = UINT32_MAX;
        }
        at = strchr(at, ',');
        if (at) at++;
    }
    int fits = out ? found <= *count : found == 0;
    *count = found;
    return fits ? 0 : 7;
}

EXPORT int nvmlDeviceGetGraphicsRunningProcesses_v3(device_t *d, unsigned *count, process_t *out) {
    (void)out;
    ENTER(d->index);
    *count = 0;
    return 0;
}
