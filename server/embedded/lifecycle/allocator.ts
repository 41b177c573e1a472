/**
 * How glibc gives memory back: what uploads were read into goes to the system at once, where by itself it stays with the
 * process between smaller pieces. Read when a process starts; `Containerfile` sets the same.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '131072' } as const
