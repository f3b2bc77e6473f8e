import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createImageCache, type FetchedImage, type ImageCache } from './image-cache.ts'

interface Asked {
  key: string
  signal: AbortSignal
  answer: (image: FetchedImage | null) => Promise<void>
  fail: () => Promise<void>
}

const keepMs = 1000
let asked: Asked[]
let revoked: string[]
let cache: ImageCache

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  revoked = []
  let made = 0
  cache = createImageCache({
    keepMs,
    createUrl: () => `blob:${++made}`,
    revokeUrl: (url) => revoked.push(url),
    fetchImage: (key, signal) =>
      new Promise((resolve, reject) => {
        asked.push({
          key,
          signal,
          answer: async (image) => {
            resolve(image)
            await settled()
          },
          fail: async () => {
            reject(new Error('no answer'))
            await settled()
          },
        })
      }),
  })
})

describe('a picture', () => {
  test('is fetched once for all who show it', async () => {
    const listeners = [vi.fn(), vi.fn()]
    for (const listener of listeners) cache.watch('user:ann:thumb', listener)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    await last().answer(picture('1'))
    expect(asked).toHaveLength(1)
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    for (const listener of listeners) expect(listener).toHaveBeenCalledOnce()
  })

  test('is revoked a while after the last of them is gone, and not before', async () => {
    const first = cache.watch('user:ann:thumb', () => undefined)
    const second = cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    first()
    first()
    vi.advanceTimersByTime(keepMs * 2)
    expect(revoked).toEqual([])
    second()
    vi.advanceTimersByTime(keepMs - 1)
    expect(revoked).toEqual([])
    vi.advanceTimersByTime(1)
    expect(revoked).toEqual(['blob:1'])
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
  })

  test('is still there for the next screen', async () => {
    cache.watch('user:ann:thumb', () => undefined)()
    await last().answer(picture('1'))
    cache.watch('user:ann:thumb', () => undefined)
    vi.advanceTimersByTime(keepMs * 2)
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    expect(asked).toHaveLength(1)
  })

  test('that comes when nobody waits for it any more is not kept', async () => {
    cache.watch('user:ann:thumb', () => undefined)()
    vi.advanceTimersByTime(keepMs)
    expect(last().signal.aborted).toBe(true)
    await last().answer(picture('1'))
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    expect(revoked).toEqual([])
  })

  test('that does not exist is not asked for again and again', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(null)
    cache.watch('user:ann:thumb', () => undefined)
    expect(asked).toHaveLength(1)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
  })

  test('that could not be fetched is tried again by the next who shows it', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().fail()
    cache.watch('user:ann:thumb', () => undefined)
    expect(asked).toHaveLength(2)
    await last().answer(picture('1'))
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
  })
})

describe('a refresh', () => {
  test('puts the new picture in the place of the old, in every size that is shown, and of nobody else', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    cache.watch('user:ann:full', () => undefined)
    await last().answer(picture('1'))
    cache.watch('user:bob:thumb', () => undefined)
    await last().answer(picture('9'))

    const done = cache.refresh('user:ann:')
    expect(asked.slice(3).map(({ key }) => key)).toEqual(['user:ann:thumb', 'user:ann:full'])
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    await asked[3]?.answer(picture('2'))
    await asked[4]?.answer(picture('2'))
    await done
    expect([cache.urlOf('user:ann:thumb'), cache.urlOf('user:ann:full')]).toEqual(['blob:4', 'blob:5'])
    expect(revoked).toEqual(['blob:1', 'blob:2'])
  })

  test('leaves the picture alone that has not changed, and that nobody could fetch', async () => {
    const listener = vi.fn()
    cache.watch('user:ann:thumb', listener)
    await last().answer(picture('1'))
    void cache.refresh('user:ann:')
    await last().answer(picture('1'))
    void cache.refresh('user:ann:')
    await last().fail()
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    expect(listener).toHaveBeenCalledOnce()
    expect(revoked).toEqual([])
  })

  test('takes away the picture that is no more', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    void cache.refresh('user:ann:')
    await last().answer(null)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    expect(revoked).toEqual(['blob:1'])
  })

  test('is overtaken by the next one, whose answer both wait for', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    const ended = vi.fn()
    void cache.refresh('user:ann:').then(ended)
    const second = cache.refresh('user:ann:')
    await asked[1]?.answer(picture('2'))
    expect(ended).not.toHaveBeenCalled()
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    await asked[2]?.answer(picture('3'))
    await second
    expect(ended).toHaveBeenCalled()
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:2')
  })
})

test('a reset revokes all, and asks anew for what is on screen only', async () => {
  cache.watch('user:ann:thumb', () => undefined)
  await last().answer(picture('1'))
  cache.watch('user:bob:thumb', () => undefined)()
  await last().answer(picture('2'))
  cache.reset()
  expect(revoked).toEqual(['blob:1', 'blob:2'])
  expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
  expect(asked.slice(2).map(({ key }) => key)).toEqual(['user:ann:thumb'])
})

function last(): Asked {
  return asked.at(-1) ?? expect.fail('nothing was asked for')
}

function picture(etag: string): FetchedImage {
  return { blob: new Blob([etag]), etag: `"${etag}"` }
}

/** Everything that follows from an answer has happened. */
async function settled() {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}
