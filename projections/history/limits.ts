/** What a member's rows of one read model may weigh to be compared, in MiB: for a moment they are in memory up to four times. */
export const COMPARED_MIB = 32
