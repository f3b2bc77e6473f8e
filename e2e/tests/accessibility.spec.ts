import { expect, expectAccessible, test } from '../fixtures.ts'

test('a button without a name and a contrast that is too low in the dark scheme only are found', async ({
  browserOf,
}) => {
  const page = await browserOf(null)
  await page.goto('/login')
  await expect(page.getByRole('button').first()).toBeVisible()
  await expectAccessible(page)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      #pale { color: #000; background: #fff }
      html[data-color-scheme="dark"] #pale { color: #555; background: #444 }
    `)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    const text = document.createElement('p')
    text.id = 'pale'
    text.textContent = 'Hard to read'
    document.querySelector('main')?.append(text)
  })
  await expect(expectAccessible(page)).rejects.toThrow(/dark: color-contrast/)
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')))
  await expect(expectAccessible(page)).rejects.toThrow(/light: button-name/)
})
