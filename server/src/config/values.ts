import { isAbsolute, resolve } from 'node:path'
import { StartError } from '../platform/errors/start-error.ts'
import type { SettingName } from './settings.ts'

// Each function reads the text of one setting and throws `ConfigError` if it is invalid.

/** An invalid setting. The message names it, and the server does not start. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}

/** Returns the text of a setting without surrounding spaces; `null` if it is missing or empty. */
export type ReadSetting = (name: SettingName) => string | null

export function wholeNumber(name: string, text: string | null, otherwise: number, least: number, most: number): number {
  if (text === null) return otherwise
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}.`)
}

export function choice<const Words extends readonly string[]>(
  name: string,
  text: string | null,
  words: Words,
  otherwise: Words[number],
): Words[number] {
  if (text === null) return otherwise
  if (words.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${words.join(', ')}.`)
}

export function onOff(name: string, text: string | null, otherwise: boolean): boolean {
  return choice(name, text, ['on', 'off'], otherwise ? 'on' : 'off') === 'on'
}

// The value itself is never part of the message: a URL may contain a password.
export function address(name: string, text: string | null, protocols: readonly string[]): string | null {
  if (text === null) return null
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
  throw new ConfigError(
    `${name} must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
  )
}

/** Splits a list at its commas. */
export function listed(text: string | null): string[] {
  return (text ?? '').split(',').flatMap((entry) => (entry.trim() ? [entry.trim()] : []))
}

export function webOrigin(name: string, text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)) return text
  throw new ConfigError(`${name} must be origins such as https://tiles.example.org, separated by commas.`)
}

export function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(path)
}

export function trimSlashes(text: string): string {
  return text.replace(/\/+$/, '')
}
