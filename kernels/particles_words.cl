// Words that are given a value between other kernels: flags, counters, sums that begin anew.
kernel void set_words(global uint* words, uint first, uint count, uint value) {
  const uint i = get_global_id(0);
  if (i < count) words[first + i] = value;
}
