import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ICON_NAMES, type IconName } from '../../../app/ui/picture/icon-names.ts'

const SPRITE = 'app/ui/picture/icons.svg'
const STROKE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'

/** A cell that hums: our own mark for a buzz. */
const OWN: Partial<Record<IconName, string>> = {
  buzz: '<path d="M12 2.5 20.2 7.25v9.5L12 21.5l-8.2-4.75v-9.5Z"/><path d="M12 8.5 15 10.25v3.5l-3 1.75-3-1.75v-3.5Z" fill="currentColor"/>',
}

async function drawing(name: IconName): Promise<string> {
  const own = OWN[name]
  if (own) return own
  const file = createRequire(import.meta.url).resolve(`lucide-static/icons/${name}.svg`)
  const svg = await readFile(file, 'utf8')
  return svg
    .slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
    .replace(/\s*\n\s*/g, '')
    .trim()
}

/** The sprite of all icons in use, from lucide (ISC licence). */
export async function iconSprite(): Promise<string> {
  const symbols = await Promise.all(
    ICON_NAMES.map(
      async (name) => `<symbol id="${name}" viewBox="0 0 24 24" ${STROKE}>${await drawing(name)}</symbol>`,
    ),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg"><!-- lucide, ISC licence -->\n${symbols.join('\n')}\n</svg>\n`
}

/** Writes the sprite where `icon.tsx` imports it, when it has changed. */
export async function writeIconSprite(root: string): Promise<void> {
  const target = path.join(root, SPRITE)
  const sprite = await iconSprite()
  const existing = await readFile(target, 'utf8').catch(() => '')
  if (existing !== sprite) await writeFile(target, sprite)
}
