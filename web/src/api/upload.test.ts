import { fileLimits, fileTexts } from '@hither/contract/runtime/files.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { failureOf } from './transport.ts'
import { imageError, uploadErrorOf } from './upload.ts'

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

describe('a failed upload', () => {
  test('rejects with the status if the server returns no sentence', () => {
    const failure = failureOf({ status: 502, statusText: 'Bad Gateway' }, undefined, 'File upload failed')
    expect(failure.message).toBe('File upload failed: 502 Bad Gateway')
  })

  test("shows the server's sentence if another file would work", () => {
    expect(uploadErrorOf(new ApiError(415, fileTexts.notAnImage))).toBe('Please select an image file')
    expect(uploadErrorOf(new ApiError(413, fileTexts.profileImageTooLarge))).toBe('Image must be less than 5MB')
    const fieldErrors = [{ loc: ['body', 'file'], msg: fileTexts.imageBroken, type: 'broken' }]
    expect(uploadErrorOf(new ApiError(422, 'Validation errors: …', { fieldErrors }))).toBe(fileTexts.imageBroken)
  })

  test('asks to try again if the file is not the cause', () => {
    for (const error of [new ApiError(0, 'unreachable'), new ApiError(500, 'Oops'), new Error('any')]) {
      expect(uploadErrorOf(error)).toBe('Failed to upload image. Please try again.')
    }
  })
})
