/* Compiled to a separate library for each MPI: see mpi_shim.h. */
#include "mpi_shim.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { piece = 1 << 30 }; /* MPI counts in int */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Replaces MPI's own wait, which keeps a processor busy that may be needed for computing. */
static int wait_all(int count, MPI_Request* requests) {
  const double busy = 100e-6; /* a message on its way inside a machine takes less */
  const struct timespec pause = {0, 20000};
  const double began = seconds();
  for (;;) {
    int done = 0;
    const int code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS || done) return code;
    if (seconds() - began < busy)
      sched_yield();
    else
      nanosleep(&pause, NULL);
  }
}

static int start(int* rank, int* ranks) {
  int provided, code;
  code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS && provided < MPI_THREAD_SERIALIZED) code = MPI_ERR_OTHER;
  if (code == MPI_SUCCESS) code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(MPI_COMM_WORLD, ranks);
  return code;
}

static int swap(const OrreryMessage* messages, int count) {
  int requests_count = 0, code = MPI_SUCCESS;
  for (int k = 0; k < count; ++k) requests_count += (int)((messages[k].bytes + piece - 1) / piece);
  MPI_Request* requests = malloc(sizeof(MPI_Request) * (size_t)(requests_count > 0 ? requests_count : 1));
  if (requests == NULL) return MPI_ERR_NO_MEM;
  int used = 0;
  for (int receiving = 1; receiving >= 0; --receiving) /* where a message is expected, it needs no copy */
    for (int k = 0; k < count; ++k) {
      const OrreryMessage* message = &messages[k];
      if (message->sends == receiving) continue;
      for (uint64_t from = 0; from < message->bytes && code == MPI_SUCCESS; from += piece) {
        const uint64_t left = message->bytes - from;
        const int bytes = left < piece ? (int)left : piece;
        char* memory = (char*)message->memory + from;
        code = receiving ? MPI_Irecv(memory, bytes, MPI_BYTE, message->peer, 0, MPI_COMM_WORLD, &requests[used])
                         : MPI_Isend(memory, bytes, MPI_BYTE, message->peer, 0, MPI_COMM_WORLD, &requests[used]);
        ++used;
      }
    }
  if (code == MPI_SUCCESS) code = wait_all(used, requests);
  free(requests);
  return code;
}

static int gather(const void* own, void* all, int bytes) {
  MPI_Request request;
  const int code = MPI_Iallgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
  return code == MPI_SUCCESS ? wait_all(1, &request) : code;
}

static int broadcast(void* memory, uint64_t bytes) {
  for (uint64_t from = 0; from < bytes; from += piece) {
    MPI_Request request;
    const uint64_t left = bytes - from;
    int code =
        MPI_Ibcast((char*)memory + from, left < piece ? (int)left : piece, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    if (code == MPI_SUCCESS) code = wait_all(1, &request);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

static int finish(void) { return MPI_Finalize(); }

static const char* text(int code) {
  static char line[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, line, &length) != MPI_SUCCESS) return "an unknown MPI error";
  return line;
}

const OrreryMpi* orrery_mpi(void) {
  static const OrreryMpi table = {ORRERY_MPI_VERSION, ORRERY_MPI_NAME, start, swap, gather, broadcast, finish, text};
  return &table;
}
