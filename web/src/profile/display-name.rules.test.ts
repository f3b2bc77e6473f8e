import { expect, test } from 'vitest'
import { checkDisplayName } from './display-name.rules.ts'

test('a display name has up to 40 characters in any script, with a letter, digit or emoji and without link characters', () => {
  for (const name of ['', ' Ann Ünal ', 'محمد', '👩‍👩‍👧', '🇩🇪', '𝔸'.repeat(40)])
    expect(checkDisplayName(name)).toBe(true)
  for (const name of ['a'.repeat(41), '...', 'a\u202eb', 'a@b', 'https://x.yz', '\u200b'])
    expect(checkDisplayName(name)).toBe('Please enter a name with 1 to 40 characters and no links.')
})
