import { expect, test } from '../fixture.ts'
import { handleDeck } from '../pages/deck-hands.ts'

const FAR = { lat: -45.03, lng: 168.66 }

for (const size of [
  { width: 390, height: 844, touch: true },
  { width: 1280, height: 800, touch: false },
])
  test(`at ${size.width} × ${size.height}, of twenty random gestures and key presses none is lost or doubled`, async ({
    world,
    open,
  }) => {
    const location = { lat: FAR.lat + (size.touch ? 0 : 2), lng: FAR.lng }
    const near = { preferences: { ageRange: [18, 100] as [number, number], distanceMiles: 5 } }
    const me = await world.member('Max', { location, ...near })
    await Promise.all(Array.from({ length: 25 }, (_, n) => world.join(`Person ${n}`, { location })))
    await world.settled()
    const { lost, doubled, decided } = await handleDeck(world, me, await open({ as: me }), size, 20, 11)
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
    expect(decided).toBeGreaterThan(5)
  })
