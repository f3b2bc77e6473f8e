import type { Page } from '@playwright/test'

export const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of pins' })

/** Taps the map away from its center, because a pin that is the only one stands there and would catch the tap. */
export function tapMap(page: Page): Promise<void> {
  return mapOf(page).click({ position: { x: 90, y: 100 } })
}
