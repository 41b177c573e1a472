/** Three colours and where the light stands, for each drawn scene. */
const SCENES = [
  ['#f6c667', '#d9774f', '#5b3a5e', 62],
  ['#9ad0d3', '#4f8f8b', '#274b52', 28],
  ['#f1b5b0', '#b5657c', '#4a2b4f', 74],
  ['#cfe3a4', '#7aa05c', '#31503f', 40],
  ['#c9b8ee', '#7a68b5', '#2f2857', 55],
] as const

/** A drawn scene as the address of a picture, for the galleries of components: hills, a light, a comb in the haze. */
export function scene(number: number, width = 800, height = 1000): string {
  const [sky, near, far, sun] = SCENES[number % SCENES.length]!
  const at = (x: number, y: number) => `${(x * width) / 100} ${(y * height) / 100}`
  const hill = (from: number, peak: number, to: number) =>
    `M${at(0, from)}Q${at(30, peak)} ${at(55, from)}T${at(100, to)}V${height}H0z`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${far}"/><stop offset=".62" stop-color="${sky}"/></linearGradient></defs>` +
    `<path fill="url(#s)" d="M0 0h${width}v${height}H0z"/>` +
    `<circle cx="${(sun * width) / 100}" cy="${height * 0.42}" r="${width * 0.11}" fill="#fff3d6" opacity=".92"/>` +
    `<path fill="${near}" opacity=".75" d="${hill(62, 48, 58)}"/>` +
    `<path fill="${near}" d="${hill(76, 66, 70)}"/>` +
    `<path fill="${far}" d="${hill(90, 78, 86)}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
