import { fileLimits, fileTexts } from '@hither/contract/runtime/files.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { responseWithinMs } from '../device/time-limit.ts'
import { ApiError } from './api-error.ts'
import { clearStoredSession, storeTokens } from './stored-session.ts'
import { failureOf } from './transport.ts'
import { imageError, upload, uploadErrorOf } from './upload.ts'

const fieldErrorOf = (type: string, size: number) =>
  imageError({ type, size }, fileLimits.profileImageBytes, fileTexts.profileImageTooLarge)

describe('a file before the upload', () => {
  test('must be an image', () => {
    expect(fieldErrorOf('application/pdf', 10)).toBe('Please select an image file')
    expect(fieldErrorOf('', 10)).toBe('Please select an image file')
    expect(fieldErrorOf('image/heic', 10)).toBeNull()
  })

  test('may have the maximum size and no more', () => {
    expect(fieldErrorOf('image/png', 5_242_880)).toBeNull()
    expect(fieldErrorOf('image/png', 5_242_881)).toBe('Image must be less than 5MB')
  })
})

describe('an upload', () => {
  /** The part of a request that `upload` uses. The test lets it progress and respond. */
  class FakeRequest {
    upload: { onprogress?: (event: object) => void } = {}
    onload = () => undefined
    onabort = () => undefined
    onloadend = () => undefined
    status = 0
    responseText = ''
    headers: Record<string, string> = {}
    constructor() {
      requests.push(this)
    }
    open() {}
    setRequestHeader() {}
    send() {}
    getResponseHeader(name: string) {
      return this.headers[name] ?? null
    }
    abort() {
      this.onabort()
      this.onloadend()
    }
  }
  let requests: FakeRequest[]

  beforeEach(() => {
    requests = []
    vi.useFakeTimers()
    vi.stubGlobal('XMLHttpRequest', FakeRequest)
    storeTokens({ access_token: 'a', refresh_token: 'r', expires_at: 2_000_000_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    clearStoredSession()
  })
  const start = () =>
    upload('POST /files/profile-image', {}, new Blob(['x'])).then(
      () => 'done',
      (error: ApiError) => error.status,
    )

  test('without progress has no response, however long it takes with progress', async () => {
    const uploading = start()
    for (let part = 0; part < 5; part++) {
      await vi.advanceTimersByTimeAsync(responseWithinMs - 1)
      requests[0]?.upload.onprogress?.({ lengthComputable: true, loaded: part, total: 5 })
    }
    const pending = Symbol('pending')
    expect(await Promise.race([uploading, Promise.resolve(pending)])).toBe(pending)
    await vi.advanceTimersByTimeAsync(responseWithinMs)
    expect(await uploading).toBe(0)
    expect(requests).toHaveLength(1)
  })

  test.each([
    [200, '<html>', {}, 0],
    [413, '<h1>413 Request Entity Too Large</h1>', {}, 0],
    [413, '', { 'x-hither': '1' }, 413],
    [201, '{}', {}, 'done'],
  ])('that ends with %i %s and the headers %j is %s', async (status, responseText, headers, result) => {
    const uploading = start()
    Object.assign(requests[0] ?? {}, { status, responseText, headers })
    requests[0]?.onload()
    expect(await uploading).toBe(result)
  })
})

describe('a failed upload', () => {
  test('rejects with the status if the server returns no sentence', () => {
    const failure = failureOf({ status: 502, statusText: 'Bad Gateway' }, undefined, 'File upload failed')
    expect(failure.message).toBe('File upload failed: 502 Bad Gateway')
  })

  test("shows the server's sentence if another file would work", () => {
    expect(uploadErrorOf(new ApiError(415, fileTexts.notAnImage))).toBe('Please select an image file')
    expect(uploadErrorOf(new ApiError(413, fileTexts.profileImageTooLarge))).toBe('Image must be less than 5MB')
    expect(uploadErrorOf(new ApiError(409, 'Your share is full', { code: 'storage_full' }))).toBe('Your share is full')
    const fieldErrors = [{ loc: ['body', 'file'], msg: fileTexts.imageBroken, type: 'broken' }]
    expect(uploadErrorOf(new ApiError(422, 'Validation errors: …', { fieldErrors }))).toBe(fileTexts.imageBroken)
  })

  test('asks to try again if the file is not the cause', () => {
    for (const error of [new ApiError(0, 'unreachable'), new ApiError(500, 'Oops'), new Error('any')]) {
      expect(uploadErrorOf(error)).toBe('Failed to upload image. Please try again.')
    }
  })
})
