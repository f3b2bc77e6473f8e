import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createImageCache, type FetchedImage, type ImageCache } from './image-cache.ts'

interface Asked {
  key: string
  signal: AbortSignal
  answer: (image: FetchedImage | null) => Promise<void>
  fail: () => Promise<void>
}

const cacheMs = 1000
let asked: Asked[]
let revoked: string[]
let cache: ImageCache

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  revoked = []
  let made = 0
  cache = createImageCache({
    cacheMs,
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

describe('an image', () => {
  test('is fetched once for all components that show it', async () => {
    const listeners = [vi.fn(), vi.fn()]
    for (const listener of listeners) cache.watch('user:ann:thumb', listener)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    await last().answer(picture('1'))
    expect(asked).toHaveLength(1)
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    for (const listener of listeners) expect(listener).toHaveBeenCalledOnce()
  })

  test('is revoked after cacheMs without a component that shows it', async () => {
    const first = cache.watch('user:ann:thumb', () => undefined)
    const second = cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    first()
    first()
    vi.advanceTimersByTime(cacheMs * 2)
    expect(revoked).toEqual([])
    second()
    vi.advanceTimersByTime(cacheMs - 1)
    expect(revoked).toEqual([])
    vi.advanceTimersByTime(1)
    expect(revoked).toEqual(['blob:1'])
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
  })

  test('is still cached for the next screen', async () => {
    cache.watch('user:ann:thumb', () => undefined)()
    await last().answer(picture('1'))
    cache.watch('user:ann:thumb', () => undefined)
    vi.advanceTimersByTime(cacheMs * 2)
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
    expect(asked).toHaveLength(1)
  })

  test('that arrives without a component that shows it is not cached', async () => {
    cache.watch('user:ann:thumb', () => undefined)()
    vi.advanceTimersByTime(cacheMs)
    expect(last().signal.aborted).toBe(true)
    await last().answer(picture('1'))
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    expect(revoked).toEqual([])
  })

  test('that does not exist is not requested again', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(null)
    cache.watch('user:ann:thumb', () => undefined)
    expect(asked).toHaveLength(1)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
  })

  test('that could not be fetched is requested again by the next component', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().fail()
    cache.watch('user:ann:thumb', () => undefined)
    expect(asked).toHaveLength(2)
    await last().answer(picture('1'))
    expect(cache.urlOf('user:ann:thumb')).toBe('blob:1')
  })
})

describe('a refresh', () => {
  test('replaces the image in every size that is shown, and no image of another user', async () => {
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

  test('keeps an image that has not changed or could not be fetched', async () => {
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

  test('removes an image that was deleted', async () => {
    cache.watch('user:ann:thumb', () => undefined)
    await last().answer(picture('1'))
    void cache.refresh('user:ann:')
    await last().answer(null)
    expect(cache.urlOf('user:ann:thumb')).toBeUndefined()
    expect(revoked).toEqual(['blob:1'])
  })

  test('resolves with the response of a later refresh', async () => {
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

test('a reset revokes all images and fetches those on screen again', async () => {
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
  return asked.at(-1) ?? expect.fail('nothing was requested')
}

function picture(etag: string): FetchedImage {
  return { blob: new Blob([etag]), etag: `"${etag}"` }
}

/** Waits until all effects of a response have happened. */
async function settled() {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}
