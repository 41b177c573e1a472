import { expect, test } from 'vitest'
import { readUrl } from '../../domain/shared/read-url.ts'

/** One sign of a host that is not ASCII: each takes the longer, the more there are. */
const HAN = '漢'
const long = HAN.repeat(254)

test('an address is read as the standard has it', () => {
  expect(readUrl('https://example.com:8443/a?b#c')?.host).toBe('example.com:8443')
  expect(readUrl('/media/x', 'https://buzz.example')?.href).toBe('https://buzz.example/media/x')
  expect(readUrl(`https://${HAN.repeat(20)}.example/`)?.hostname).toMatch(/^xn--/)
  expect(readUrl(`https://example.com/${'a/'.repeat(2_000)}`)?.pathname).toHaveLength(4_001)
  expect(['', 'example.com', 'http://', 'http://[1'].map((text) => readUrl(text))).toEqual([null, null, null, null])
})

test.each([
  `http://${long}`,
  `http:${long}/`,
  `HTTP:\\\\${long}`,
  `http:////${long}?q`,
  ` http://name:word@${long}#x`,
  `//${long}/a`,
  `\\/${long}`,
  `/\t/${long}`,
  `ht\ntp://${long}`,
  `\u0000//${long}`,
  `http://${'%E6%BC%A2'.repeat(30)}/`,
  `http://example.com/${'a'.repeat(9_000)}`,
])('an address with a host longer than any, or that is longer itself, is none, however it is written (%#)', (text) => {
  expect(readUrl(text, 'http://own.invalid')).toBeNull()
})
