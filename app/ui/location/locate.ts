/** spec 1 §9 */
const LOCATION_TIMEOUT_MS = 8_000

/** The browser's position, as fields of a form; or in words why there is none. */
type Located = { readonly lat: string; readonly lng: string } | string

export const locate = (): Promise<Located> =>
  new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: String(coords.latitude), lng: String(coords.longitude) }),
      (error) =>
        resolve(
          error.code === error.PERMISSION_DENIED
            ? 'Your browser keeps your location to itself, which is fine. Type your town instead.'
            : 'Your location could not be found in time. Try again, or type your town.',
        ),
      { timeout: LOCATION_TIMEOUT_MS, maximumAge: 60_000 },
    ),
  )
