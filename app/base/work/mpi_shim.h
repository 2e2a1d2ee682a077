/* Orrery's interface to MPI. Each MPI has its own binary interface, so mpi_shim.c is compiled once for each installed
 * one; the program loads one of these libraries only if a launcher has started it (ranks.cpp). */
#ifndef ORRERY_MPI_SHIM_H
#define ORRERY_MPI_SHIM_H

#include <stdint.h>

/* Increased with every change of the struct. */
#define ORRERY_MPI_VERSION 1

/* One message of a round. Messages between two ranks arrive in the order of the round's list. */
typedef struct {
  int peer;
  int sends; /* 0: receives */
  void* memory;
  uint64_t bytes;
} OrreryMessage;

/* Functions return 0, or an MPI error code, which text() explains. They are called from one thread at a time. */
typedef struct {
  int version;
  const char* name; /* "Open MPI v4.1.4 …" */
  int (*start)(int* rank, int* ranks);
  int (*swap)(const OrreryMessage* messages, int count);
  int (*gather)(const void* own, void* all, int bytes); /* `bytes` of each rank, in the order of the ranks */
  int (*broadcast)(void* memory, uint64_t bytes);       /* from rank 0 */
  int (*finish)(void);
  const char* (*text)(int code);
} OrreryMpi;

#ifdef __cplusplus
extern "C"
#endif
    const OrreryMpi*
    orrery_mpi(void);

#endif
