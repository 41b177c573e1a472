import { expect, test } from 'vitest'
import { sized, sourcesOf } from '../../app/ui/picture/sources.ts'

const OURS = '/media/0123456789abcdefghijklmn'

test('a picture of ours comes in each size up to the largest that is wanted', () => {
  expect(sourcesOf(OURS, '100vw')).toEqual({
    sizes: '100vw',
    srcSet: `${OURS}?w=96 96w, ${OURS}?w=320 320w, ${OURS}?w=720 720w, ${OURS}?w=1080 1080w`,
    src: `${OURS}?w=720`,
  })
  const avatar = sourcesOf(OURS, '44px', 320)
  expect([avatar.srcSet, avatar.src]).toEqual([`${OURS}?w=96 96w, ${OURS}?w=320 320w`, `${OURS}?w=320`])
})

test('what a browser made itself, and what has a signature, stays as it is', () => {
  for (const url of ['blob:https://a/b', 'data:image/png;base64,AA', `${OURS}?sig=a.b.c`])
    expect([sourcesOf(url, '100vw'), sized(url, 320)]).toEqual([{ src: url }, url])
})
