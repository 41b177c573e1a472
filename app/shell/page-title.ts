export const PRODUCT_NAME = 'LetsBuzz'

/** The one form of a document title: `meta = () => pageTitle('Discover')`. */
export function pageTitle(page?: string): { title: string }[] {
  return [{ title: page ? `${page} · ${PRODUCT_NAME}` : PRODUCT_NAME }]
}
