import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { figure, headOf } from '../../../server/demo/drawing/person/figure.ts'
import { ROOTS } from '../../../server/demo/drawing/person/heritage.ts'
import { STYLES } from '../../../server/demo/drawing/person/look.ts'
import { render, type Sitting, sit } from '../../../server/demo/drawing/pictures.ts'
import { PICTURE } from '../../../server/demo/drawing/svg.ts'
import { NAMES } from '../../../server/demo/names.ts'
import { makePersona, type Persona } from '../../../server/demo/people.ts'
import { createChance } from '../../../server/demo/random.ts'

const TODAY = new Date('2026-06-01T12:00:00Z')
const PEOPLE = 400

type Someone = { readonly persona: Persona; readonly sitting: Sitting }

const someone = (seed: number): Someone => {
  const persona = makePersona(createChance(seed), TODAY)
  return { persona, sitting: sit(seed, { ...persona.answers, ...persona }) }
}
const people = Array.from({ length: PEOPLE }, (_, seed) => someone(seed))

describe('a portrait', () => {
  test('has a head of about half its height, in the middle of the width and on the line of the upper third', () => {
    for (const { sitting } of people) {
      const { height, x, y } = sitting.frame
      expect(height).toBeGreaterThanOrEqual(0.45)
      expect(height).toBeLessThanOrEqual(0.55)
      expect(y).toBeCloseTo(1 / 3, 2)
      expect(Math.abs(x - 0.5)).toBeLessThanOrEqual(0.03)
    }
  })

  test.each(STYLES)('begins and ends its head where %s does', async (hair) => {
    const { look } = someone(1).sitting
    const worn = { ...look, hair, beard: 'none', earrings: null } as const
    const frame = { height: 0.5, x: 0.5, y: 1 / 3, tilt: 0 }
    const head = await inkOf(figure(worn, frame))
    const top = (frame.y - frame.height / 2) * PICTURE.height
    expect(Math.abs(head.top - top)).toBeLessThanOrEqual(PICTURE.height * 0.01)
    expect(headOf(worn).bottom).toBe(headOf({ hair: 'bald', beard: 'none' }).bottom)
    expect(Math.abs((head.left + head.right) / 2 - PICTURE.width / 2)).toBeLessThanOrEqual(PICTURE.width * 0.05)
  })

  test('is as large as an upload is kept', async () => {
    const { format, width, height } = await sharp(await render(someone(1).sitting.portrait())).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1080, height: 1350 })
  })

  test('is the same for the same person, and nobody else’s', () => {
    const drawn = people.map(({ sitting }) => sitting.portrait())
    expect(someone(7).sitting.portrait()).toBe(drawn[7])
    expect(new Set(drawn).size).toBe(PEOPLE)
  })
})

describe('a look fits', () => {
  test('where the name comes from', () => {
    for (const { persona, sitting } of people) {
      const { firstName, gender } = persona.answers
      expect(ROOTS[persona.heritage].skins).toContain(sitting.look.skin)
      if (persona.heritage === 'anywhere') continue
      const names = NAMES[persona.heritage]
      expect([...names.women, ...names.men]).toContain(firstName)
      expect(names[gender === 'Female' ? 'women' : 'men']).toContain(firstName)
    }
  })

  test('the gender', () => {
    const of = (gender: string) => people.filter(({ persona }) => persona.answers.gender === gender)
    expect(of('Female').every(({ sitting }) => sitting.look.beard === 'none')).toBe(true)
    expect(of('Male').filter(({ sitting }) => sitting.look.beard !== 'none').length).toBeGreaterThan(PEOPLE / 20)
    for (const { sitting } of of('Male')) {
      expect(sitting.look.outfit.cut).not.toBe('straps')
      expect(['headscarf', 'plaits', 'puff', 'straight', 'ponytail']).not.toContain(sitting.look.hair)
    }
  })

  test('the age', () => {
    const lined = (from: number, to: number) =>
      people.filter(({ persona: { age } }) => age >= from && age <= to).map(({ sitting }) => sitting.look.lines)
    expect(new Set(lined(18, 40))).toEqual(new Set([0]))
    expect(Math.min(...lined(60, 99))).toBeGreaterThan(1)
    const young = people.filter(({ persona }) => persona.age < 40).map(({ sitting }) => sitting.look.hair)
    expect(young).not.toContain('receding')
    expect(young).not.toContain('perm')
  })
})

test('few people look alike', () => {
  const looks = people.map(({ sitting: { look } }) =>
    [look.skin.base, look.hair, look.hairColour, look.outfit.cut].join(),
  )
  expect(new Set(looks).size).toBeGreaterThan(PEOPLE * 0.85)
})

/** Where something is drawn, in pixels; left and right of the rows of the head alone. */
async function inkOf(drawn: string): Promise<{ top: number; left: number; right: number }> {
  const { width, height } = PICTURE
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn}</svg>`
  const alpha = await sharp(Buffer.from(svg)).extractChannel('alpha').raw().toBuffer()
  const top = Math.floor(alpha.findIndex((value) => value > 0) / width)
  const eyes = alpha.subarray(Math.round(height * 0.4) * width, (Math.round(height * 0.4) + 1) * width)
  return { top, left: eyes.findIndex((value) => value > 0), right: eyes.findLastIndex((value) => value > 0) }
}
