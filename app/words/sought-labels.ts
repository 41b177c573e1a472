/** Whom a member would like to meet. Apart from the other labels, since editing needs these alone. */
export const SOUGHT_LABELS = { male: 'Men', female: 'Women', other: 'Other' } as const
