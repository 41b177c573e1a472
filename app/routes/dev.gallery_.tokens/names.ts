/** The grounds of a theme, then its accents, as their names in `tokens.css`. */
export const GROUNDS = ['paper', 'surface', 'raised', 'sunken', 'line', 'line-strong', 'ink', 'ink-soft']
export const ACCENTS = ['honey', 'honey-deep', 'petal', 'leaf', 'alarm', 'gold']
export const INKS = ['honey-ink', 'petal-ink', 'leaf-ink', 'alarm-ink', 'gold-ink']
export const WASHES = ['honey-wash', 'petal-wash', 'leaf-wash', 'alarm-wash', 'gold-wash']
export const LEVELS = ['strip', 'bar', 'menu', 'skip', 'dialog', 'stage', 'toast', 'splash']
export const DENSITIES = ['comfy', 'cozy', 'compact', 'staff']
