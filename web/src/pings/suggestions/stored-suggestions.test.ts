import { beforeEach, expect, test, vi } from 'vitest'
import { clearSuggestions, rememberedHeightPx, rememberHeight, showSuggestions } from './stored-suggestions.ts'

let entries: Record<string, string>

beforeEach(() => {
  entries = {}
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => {
      entries[key] = value
    },
    removeItem: (key: string) => {
      delete entries[key]
    },
  }
  vi.stubGlobal(
    'localStorage',
    new Proxy(methods, {
      ownKeys: () => Object.keys(entries),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  )
})

test('the height is stored for one account', () => {
  rememberHeight('ann', 56)
  expect(rememberedHeightPx('ann')).toBe(56)
  expect(rememberedHeightPx('bob')).toBe(0)
  rememberHeight('ann', 0)
  expect(entries).toEqual({})
})

test('what is stored for an account is removed with it, and that of others at the start of another account', () => {
  entries['map_camera'] = 'of the map'
  for (const person of ['ann', 'bob']) {
    rememberHeight(person, 56)
    showSuggestions(person, false)
  }
  expect(Object.keys(entries)).toHaveLength(5)
  clearSuggestions({ of: 'ann' })
  expect(Object.keys(entries).filter((key) => key.includes('ann'))).toEqual([])
  expect(rememberedHeightPx('bob')).toBe(56)
  clearSuggestions({ butOf: 'bob' })
  expect(Object.keys(entries)).toHaveLength(3)
  clearSuggestions({ butOf: 'ann' })
  expect(entries).toEqual({ map_camera: 'of the map' })
})

test('without storage, nothing is remembered and nothing fails', () => {
  vi.stubGlobal('localStorage', undefined)
  rememberHeight('ann', 56)
  showSuggestions('ann', false)
  clearSuggestions({ of: 'ann' })
  expect(rememberedHeightPx('ann')).toBe(0)
})
