/** Whom a member would like to meet. Apart from the other labels, since editing needs these alone. */
export const SOUGHT_LABELS = { male: 'Men', female: 'Women', other: 'Other' } as const
/** What is wrong where nobody is chosen, on every page and in every answer that asks for it. */
export const NOBODY_SOUGHT = 'Please choose whom you are interested in.'
