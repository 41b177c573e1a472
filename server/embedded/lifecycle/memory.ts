/**
 * How glibc gives memory back: what uploads were read into goes to the system at once, where by itself it stays with the
 * process between smaller pieces. Read when a process starts; `Containerfile` sets the same.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '131072' } as const

/** Below 2 GiB the engine collects before the heap is twice what is in use, and up to four times that above (decision 0060). */
const HEAP_MIB = 1_536

/** What a program of ours is started with; nothing where whoever starts it has chosen a limit. `Containerfile` sets the same. */
export const heapArgs = (chosen = process.env.NODE_OPTIONS): string[] =>
  /max[-_]old[-_]space[-_]size/.test(chosen ?? '') ? [] : [`--max-old-space-size=${HEAP_MIB}`]
