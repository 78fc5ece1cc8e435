/* CHOLMOD's factorisation and solve of a matrix in a file, timed on request: a line "order",
 * "factor" or "solve" on standard input is answered by the seconds it took. "order" also answers
 * the entries of L and the floating point operations. METIS order, supernodal, LL'.
 *
 *     cc -O2 beside_cholmod.c -lcholmod -o beside_cholmod && ./beside_cholmod MATRIX
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void need(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "beside_cholmod: %s\n", what);
        exit(1);
    }
}

/* n, entries, starts: 64 bits; rows: 32 bits; values: double; upper triangle by columns. */
static cholmod_sparse *read_matrix(const char *path, cholmod_common *c)
{
    FILE *file = fopen(path, "rb");
    need(file != NULL, "cannot open the matrix");
    int64_t size[2];
    need(fread(size, 8, 2, file) == 2, "the matrix has no header");
    size_t n = size[0], entries = size[1];
    cholmod_sparse *a = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, c);
    need(a != NULL, "no memory for the matrix");
    for (size_t j = 0; j <= n; j++) {
        int64_t start;
        need(fread(&start, 8, 1, file) == 1, "the matrix ends early");
        ((int *)a->p)[j] = (int)start;
    }
    need(fread(a->i, 4, entries, file) == entries, "the matrix ends early");
    need(fread(a->x, 8, entries, file) == entries, "the matrix ends early");
    fclose(file);
    return a;
}

int main(int argc, char **argv)
{
    need(argc == 2, "usage: beside_cholmod MATRIX");
    cholmod_common c;
    cholmod_start(&c);
    c.nmethods = 1;
    c.method[0].ordering = CHOLMOD_METIS;
    c.postorder = 1;
    c.supernodal = CHOLMOD_SUPERNODAL;
    c.final_ll = 1;
    cholmod_sparse *a = read_matrix(argv[1], &c);
    cholmod_factor *l = NULL;
    cholmod_dense *b = cholmod_ones(a->nrow, 1, CHOLMOD_REAL, &c);
    cholmod_dense *x = NULL, *y = NULL, *e = NULL;
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        double start = now();
        if (strncmp(line, "order", 5) == 0) {
            if (l) cholmod_free_factor(&l, &c);
            l = cholmod_analyze(a, &c);
            need(l != NULL, "cannot order the matrix");
            printf("%.9g %.17g %.17g\n", now() - start, c.lnz, c.fl);
        } else if (strncmp(line, "factor", 6) == 0) {
            need(cholmod_factorize(a, l, &c) && c.status == CHOLMOD_OK, "cannot factor");
            printf("%.9g\n", now() - start);
        } else {
            need(cholmod_solve2(CHOLMOD_A, l, b, NULL, &x, NULL, &y, &e, &c), "cannot solve");
            printf("%.9g\n", now() - start);
        }
        fflush(stdout);
    }
    return 0;
}
