import { expect, test } from 'vitest'
import { quoted } from '../../server/tools/admin/evidence.ts'

const hidden = (from: number, to = from) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
const HIDDEN = [
  ...hidden(0x00, 0x1f),
  ...hidden(0x7f, 0x9f),
  ...hidden(0x61c),
  ...hidden(0x200e, 0x200f),
  ...hidden(0x2028, 0x202e),
  ...hidden(0x2066, 0x2069),
]

test('what would turn or move the words of a terminal is escaped, and reads back as it was', () => {
  for (const character of HIDDEN) {
    const shown = quoted(`a${character}b`)
    expect(shown).toMatch(/^"a\\(?:u[0-9a-f]{4}|[bfnrt])b"$/)
    expect(JSON.parse(shown)).toBe(`a${character}b`)
  }
  for (const words of ['Grüße, Ünal 🦊', 'שלום', '👩‍🚀', 'می‌خواهم']) expect(quoted(words)).toBe(`"${words}"`)
})
