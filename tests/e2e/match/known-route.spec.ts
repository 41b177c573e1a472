import { expect, test } from '../fixture.ts'

const KNOWN = () =>
  Object.keys((window as unknown as { __remixManifest: { routes: object } }).__remixManifest.routes).filter((id) =>
    id.endsWith('/match.$userId'),
  )

for (const path of ['/discover', '/notifications', '/profile', '/chat'])
  test(`${path} knows the route of matches before one comes in`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Ann') })
    await page.goto(path)
    await expect.poll(() => page.evaluate(KNOWN)).not.toEqual([])
  })
