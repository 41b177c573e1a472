import type { Page } from 'playwright'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { BLOCKED_WORKER, expect, hostCookie, test } from './fixture.ts'
import { type Cast, gather, registering } from './pages/cast.ts'
import { EVERY_PAGE, type Stop } from './pages/every-page.ts'
import { axeFaults, colourFaults, cutOff, sheetFaults } from './pages/faults.ts'

const PART_MS = 240_000
/** A desktop window, and the same at 200 %. The narrowest that still has to work (WCAG 1.4.10), and a phone. */
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 320, height: 640 },
  { width: 390, height: 844 },
]

type Theme = { readonly name: string; readonly colorScheme: 'light' | 'dark'; readonly isBuzzMode?: true }
const LIGHT: Theme = { name: 'light', colorScheme: 'light' }
const THEMES: readonly Theme[] = [
  LIGHT,
  { name: 'dark', colorScheme: 'dark' },
  { name: 'Buzz Mode', colorScheme: 'dark', isBuzzMode: true },
]
/** Each page in every theme, which takes half as long again; without it in one, by turns. */
const IN_EVERY_THEME = process.env.EVERY_THEME === '1'

async function wear(page: Page, { colorScheme, isBuzzMode }: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const mode = isBuzzMode ? 'buzz' : ''
  await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), mode)
}

async function look(page: Page, { name }: Stop, turn: number): Promise<string[]> {
  const faults: string[] = []
  const note = (where: string, found: readonly string[]) =>
    faults.push(...found.map((one) => `${name}, ${where}: ${one}`))
  note('sheets', await sheetFaults(page))
  for (const window of WINDOWS) {
    await page.setViewportSize(window)
    // What a window that has just got its size shows for a moment is no fault.
    note(`${window.width} px`, (await cutOff(page)).length > 0 ? await cutOff(page) : [])
  }
  const worn = THEMES[turn % THEMES.length] ?? LIGHT
  await wear(page, worn)
  note(worn.name, await axeFaults(page))
  for (const theme of IN_EVERY_THEME ? THEMES.filter((one) => one !== worn) : []) {
    await wear(page, theme)
    note(theme.name, await colourFaults(page))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

let met: Promise<Cast> | undefined

for (const [part, stopsOf] of Object.entries(EVERY_PAGE)) {
  test(`${part}: every page stands in each window, and machines can read it`, async ({ world, open }) => {
    test.setTimeout(PART_MS)
    met ??= gather(world)
    const [stops, proof] = [stopsOf(await met), await registering(world)]
    const page = await open({ phone: true, refusals: true })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const faults: string[] = []
    page.on('console', (line) => {
      if (line.type() !== 'warning' || line.text() === BLOCKED_WORKER) return
      faults.push(`${page.url()} warns: ${line.text()}`)
    })
    for (const [turn, stop] of stops.entries()) {
      await test.step(stop.name, async () => {
        await page.context().clearCookies()
        if (stop.as) await page.context().addCookies([hostCookie(world, SESSION_COOKIE, stop.as.token)])
        if (stop.registering) await page.context().addCookies([hostCookie(world, PROOF_COOKIE, proof)])
        const answer = await page.goto(stop.path)
        if (!stop.refused) expect(answer?.status(), stop.name).toBe(200)
        await stop.act?.(page)
        faults.push(...(await look(page, stop, turn)))
      })
    }
    expect(faults).toEqual([])
  })
}
