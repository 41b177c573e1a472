/** Something of the demo world was not taken. The message names nobody. */
export class DemoRefused extends Error {
  override name = 'DemoRefused'
}
