import { expect, test } from 'vitest'
import { isEmojiAlone, piecesOf as piecesAt } from '../../../app/routes/chat.$userId/message/message-pieces.ts'

const OWN_HOST = 'buzz.example'
const piecesOf = (text: string, ownHost = OWN_HOST) => piecesAt(text, ownHost)
const links = (text: string) => piecesOf(text).flatMap(({ words, href }) => (href ? [words] : []))

test.each([
  ['https://example.com', ['https://example.com']],
  ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
  ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
  ['“http://example.com”, and HTTPS://EXAMPLE.COM/x!', ['http://example.com', 'HTTPS://EXAMPLE.COM/x']],
  ['(See (https://example.com/a_(b)).)', ['https://example.com/a_(b)']],
  ['https://example.com/x).,), and', ['https://example.com/x']],
  ['http://a.example\nhttp://b.example', ['http://a.example', 'http://b.example']],
])('%j has the links %j', (text, expected) => {
  expect(links(text)).toEqual(expected)
  expect(
    piecesOf(text)
      .map(({ words }) => words)
      .join(''),
  ).toBe(text)
})

test.each([
  ['https://www.mybank.com%2Eevil.example/', 'https://www.mybank.com.evil.example/'],
  ['https://\u0440\u0430ypal.com/login', 'https://xn--ypal-43d9g.com/login'],
  ['https://my\u200bbank\u3002example/a', 'https://mybank.example/a'],
  ['https:///evil.example/', 'https://evil.example/'],
  ['https://bank.example\\.evil.example/', 'https://bank.example/.evil.example/'],
  ['HTTPS://Example.com:8443/Aé?b=ü', 'HTTPS://Example.com:8443/Aé?b=ü'],
  ['https://evil.example/?moc.\u202eknab', 'https://evil.example/?moc'],
  ['\u202ehttps://evil.example/\u2066a', 'https://evil.example/'],
])('%j is shown with the host that it leads to: %j', (text, expected) => {
  const [link] = piecesOf(text).filter(({ href }) => href)
  expect(link?.words).toBe(expected)
  expect(expected.toLowerCase().startsWith(new URL(link?.href ?? '').origin)).toBe(true)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  'example.com',
  'http://',
  'https://bank.example@evil.example/',
  '<a href="javascript:alert(1)">x</a>',
  '',
])('%j has no link and stays as it is', (text) => {
  expect(links(text)).toEqual([])
  expect(piecesOf(text)).toEqual(text ? [{ words: text }] : [])
})

const ROOM = 'https://buzz.example/chat/bea'
test.each([
  [`${ROOM}?say=I%20hate%20you`, ROOM],
  [`${ROOM}?say=I%20hate%20you#newest`, `${ROOM}#newest`],
  ['HTTPS://Buzz.Example/discover?ageMin=98', 'https://buzz.example/discover'],
  ['https://buzz.example:443/discover?ageMin=98', 'https://buzz.example/discover'],
  ['https://buzz.example:8443/discover?ageMin=98', 'https://buzz.example:8443/discover'],
  ['http://buzz.example/discover?ageMin=98', 'http://buzz.example/discover'],
  ['https://buzz.example./discover?ageMin=98', 'https://buzz.example./discover'],
  ['https:////buzz.example/discover?ageMin=98', 'https://buzz.example/discover'],
  ['https://buzz.example\\discover?ageMin=98', 'https://buzz.example/discover'],
  ['https://\uff42uzz%2Eexample/discover?ageMin=98', 'https://buzz.example/discover'],
  ['https://bu\u00adzz\u3002example?ageMin=98', 'https://buzz.example/'],
  ['https://buzz.example/x/../login?redirectTo=/discover?ageMin=98', 'https://buzz.example/login'],
  ['https://buzz.example/audit?q=bea', 'https://buzz.example/audit'],
  ['https://buzz.example/%3Fsay=x', null],
  ['https://buzz.example/audit/bea', null],
  ['https://buzz.example/Audit/bea/rows', null],
  ['https://buzz.example/x/../%61udit/bea', null],
  ['https://buzz.example//audit/bea', null],
  ['https://buzz.example\\audit\\bea', null],
])('an address of our own, %j, leads to the page alone: %j', (text, href) => {
  expect(piecesOf(text).map((piece) => piece.href ?? null)).toEqual([href])
})

test.each([
  ['https://www.buzz.example/chat/bea?say=x'],
  ['https://buzz.example.evil.example/audit/bea?x'],
  ['https://notbuzz.example/audit/bea?x'],
  ['https://evil.example/buzz.example?x'],
])('one of another site, %s, leads where it is written', (text) => {
  expect(piecesOf(text)).toEqual([{ words: text, href: text }])
})

test('an address of our own is shown as it is written, with the query that it does not lead to', () => {
  expect(piecesOf(`${ROOM}?say=x`)).toEqual([{ words: `${ROOM}?say=x`, href: ROOM }])
  expect(piecesOf('http://localhost:3000/chat/bea?say=x', 'localhost')).toEqual([
    { words: 'http://localhost:3000/chat/bea?say=x', href: 'http://localhost:3000/chat/bea' },
  ])
  expect(piecesOf('https://[::1]/chat?x', '[::1]').map(({ href }) => href)).toEqual(['https://[::1]/chat'])
})

test.each([
  `https://a.example/${'('.repeat(2_000)}${').'.repeat(1_000)}`,
  `https://a.example/${')'.repeat(3_980)}`,
  `https://a.example/${').'.repeat(1_990)}`,
  `https://a.example/${'!'.repeat(3_980)}a`,
])('a very long text is read at once', (text) => {
  const begin = process.cpuUsage().user
  for (let times = 0; times < 20; times++) piecesOf(text)
  expect(isEmojiAlone('😀'.repeat(2_000))).toBe(false)
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(150)
})

test.each(['😀', '😀😀 😀', '👍🏽', '❤️', '👨‍👩‍👧‍👦', '🇵🇹', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣', '☝🏽', '🏳️‍🌈🐝'])(
  '%s is of emoji alone',
  (text) => {
    expect(isEmojiAlone(text)).toBe(true)
  },
)

test.each(['', '😀😀😀😀', 'a😀', '😀!', '1', '©', '123', '❤'])('%j is not of emoji alone', (text) => {
  expect(isEmojiAlone(text)).toBe(false)
})

test('an address whose host is longer than any is words, and its neighbours stay links', () => {
  expect(links(`http://a.example http://${'漢'.repeat(3_900)} http://b.example`)).toEqual([
    'http://a.example',
    'http://b.example',
  ])
})

test('the first twenty addresses of a message are links, and the rest is words', () => {
  const text = 'http://a.example '.repeat(50)
  expect(links(text)).toHaveLength(20)
  expect(
    piecesOf(text)
      .map(({ words }) => words)
      .join(''),
  ).toBe(text)
})
