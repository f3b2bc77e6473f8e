import { randomUUID } from 'node:crypto'
import { updateUser } from '@hither/contract/users.ts'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Cast, minuteMs, startCast, unknownPingId } from '../pings/harness.ts'
import { publicUrl, serveWebApp } from './harness.ts'

let cast: Cast
let stopWeb: () => Promise<void>
/** The web app as the server serves it, with the database of the cast. */
let web: FastifyInstance

beforeAll(async () => {
  cast = await startCast()
  ;({ web, close: stopWeb } = await serveWebApp(cast))
})

afterAll(async () => {
  await stopWeb()
  await cast.server.close()
})

afterEach(() => cast.clear())

const open = (path: string) => web.inject({ url: path })
const drop = (fields = {}) => cast.drop(cast.ann, { is_public: true, name: 'Tea <b>&</b> "cake"', ...fields })

async function picture(id: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${cast.server.url}/api/pings/${id}/preview.png`, { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

function tagsIn(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:name|property)="((?:og|twitter):[^"]+|description|robots)" content="([^"]*)">/g)
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]))
}

/** Paths of non-public pings and of unknown ones. The answers for all of them must be the same. */
async function closedIds() {
  const [deleted, ended, over] = [await drop(), await drop(), await drop({ duration_minutes: 15 })]
  cast.server.clock.advance(15 * minuteMs)
  await cast.remove(deleted.id, cast.ann)
  await cast.change(ended.id, { end: true }, cast.ann)
  const closed = await drop({ is_public: false })
  const pending = await drop({ is_public: false, activates_at: cast.ahead(60) })
  return [deleted.id, ended.id, over.id, closed.id, pending.id, unknownPingId, randomUUID()]
}

describe('the page of a public ping', () => {
  it('names the creator by the display name', async () => {
    const { ann, server } = cast
    const { id } = await drop()
    const name = (display_name: string | null) =>
      server.call(updateUser, { params: { id: ann.id }, body: { display_name } }, ann)
    await name('Ann 🦊')
    expect(tagsIn((await open(`/pins/${id}`)).body).description).toMatch(/^by Ann 🦊, until/)
    await name(null)
  })

  it('contains the name, the creator and the time for messengers, and nothing else', async () => {
    const { id, expires_at } = await drop({ message: 'Secret', address: '1 Main St' })
    const { statusCode, body, headers } = await open(`/pins/${id}`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    const title = 'Tea &lt;b&gt;&amp;&lt;/b&gt; &quot;cake&quot;'
    const description = `by ann, until ${expires_at.slice(11, 16)} UTC`
    const image = `${publicUrl}/api/pings/${id}/preview.png?${Date.parse(expires_at)}`
    expect(tagsIn(body)).toEqual({
      description,
      robots: 'noindex',
      'og:site_name': 'Hither',
      'og:type': 'website',
      'og:title': title,
      'og:description': description,
      'og:url': `${publicUrl}/pins/${id}`,
      'og:image': image,
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
      'twitter:title': title,
      'twitter:description': description,
      'twitter:image': image,
    })
    expect(body).toContain(`<title>${title}</title>`)
    expect(body.match(/<title>/g)).toHaveLength(1)
    expect(body.match(/name="description"/g)).toHaveLength(1)
    expect(body).not.toMatch(/Secret|Main St|45\.52|122\.68/)
    expect(body).toContain('<div id="root"></div>')
  })

  it('contains the start of a scheduled ping', async () => {
    const { id, activates_at } = await drop({ activates_at: cast.ahead(600) })
    const { 'og:description': description } = tagsIn((await open(`/pins/${id}`)).body)
    expect(description).toMatch(/^by ann, \w{3},? \d+ \w{3,4},? \d\d:\d\d UTC$/)
    expect(description).toContain(String(activates_at).slice(11, 16))
  })

  it('has another picture URL after the end has changed', async () => {
    const { id } = await drop()
    const before = tagsIn((await open(`/pins/${id}`)).body)
    await cast.change(id, { extend_minutes: 15 }, cast.ann)
    const after = tagsIn((await open(`/pins/${id}`)).body)
    expect(after['og:image']).not.toBe(before['og:image'])
    expect(after['og:description']).not.toBe(before['og:description'])
  })

  it('escapes markup in a name', async () => {
    for (const name of [
      '</title><script>alert(1)</script>',
      `"><img src=x onerror='a'>`,
      "$& $' $` $1",
      'a\u202eb\nc',
    ]) {
      const { id } = await drop()
      // A version before the rule for names stored the last one.
      await cast.server.db`update location_pins set name = ${name} where id = ${id}`
      const { body } = await open(`/pins/${id}`)
      expect(body).not.toMatch(/<script>alert|<img|\u202e/)
      const { 'og:title': title = '' } = tagsIn(body)
      const unescaped = title
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
      expect(unescaped).toBe(name.replace('\u202e', '').replace('\n', ' '))
    }
  })
})

describe('every other page', () => {
  it('below /pins has the card of the product, identical to the byte for all paths', async () => {
    const answers = []
    for (const id of [...(await closedIds()), 'x', '%00', `${unknownPingId}/more`, '']) {
      const { statusCode, body, headers } = await open(`/pins/${id}`)
      const { date: _, 'x-request-id': __, ...rest } = headers
      answers.push({ statusCode, body, rest })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const [{ statusCode, body } = { statusCode: 0, body: '' }] = answers
    expect(statusCode).toBe(200)
    const { 'og:title': title, 'og:description': description, 'og:image': image, ...others } = tagsIn(body)
    expect([title, description, image]).toEqual([
      'Hither',
      'Drop a pin. Friends come hither.',
      `${publicUrl}/preview.png`,
    ])
    expect(others).not.toHaveProperty('og:url')
    expect(others['robots']).toBe('noindex')
  })

  it('shows the product for a friend link, is not indexed, and is the same for every query', async () => {
    const pages = [await open('/add'), await open('/add/'), await open('/add?code=x')]
    expect(new Set(pages.map(({ statusCode, body }) => JSON.stringify({ statusCode, body }))).size).toBe(1)
    const { 'og:title': title, robots, ...others } = tagsIn(pages[0]?.body ?? '')
    expect([title, robots]).toEqual(['Hither', 'noindex'])
    expect(others).not.toHaveProperty('og:url')
  })

  it('has the same content security policy as the page of a ping', async () => {
    const { id } = await drop()
    const [shared, home] = [await open(`/pins/${id}`), await open('/')]
    expect(shared.headers['content-security-policy']).toBe(home.headers['content-security-policy'])
    expect(tagsIn(home.body)).toMatchObject({ 'og:title': 'Hither' })
    expect(tagsIn(home.body)).not.toHaveProperty('robots')
  })

  it('is served while the database is unavailable', async () => {
    const { id } = await drop()
    await cast.server.db`alter table location_pins rename column is_public to gone`
    const { statusCode, body } = await open(`/pins/${id}`)
    await cast.server.db`alter table location_pins rename column gone to is_public`
    expect(statusCode).toBe(200)
    expect(tagsIn(body)['og:title']).toBe('Hither')
  })
})

describe('the preview picture', () => {
  it('is drawn for a public ping, and cacheable until its text changes', async () => {
    const { id } = await drop()
    const { response, bytes } = await picture(id)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('private, max-age=0, must-revalidate')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    const etag = response.headers.get('etag') ?? ''
    expect((await picture(id, { 'if-none-match': etag })).response.status).toBe(304)
    cast.server.clock.advance(minuteMs)
    expect((await picture(id, { 'if-none-match': etag })).response.status).toBe(200)
    await cast.change(id, { extend_minutes: 15 }, cast.ann)
    const extended = await picture(id)
    cast.server.clock.advance(minuteMs)
    expect((await picture(id)).bytes.equals(extended.bytes)).toBe(false)
  })

  it('of anything else is that of the product, with identical headers', async () => {
    const { response: product, bytes } = await picture(unknownPingId)
    expect(product.status).toBe(200)
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    for (const id of await closedIds()) {
      const one = await picture(id)
      expect([one.response.status, headersOf(one.response)]).toEqual([200, headersOf(product)])
      expect(one.bytes.equals(bytes)).toBe(true)
    }
    const home = await fetch(`${cast.server.url}/preview.png`)
    expect(Buffer.from(await home.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('of a name without a character that can be drawn is that of the product', async () => {
    const { bytes } = await picture(unknownPingId)
    expect((await picture((await drop({ name: '東京' })).id)).bytes.equals(bytes)).toBe(true)
    expect((await picture((await drop({ name: '東京 Tea' })).id)).bytes.equals(bytes)).toBe(false)
  })

  it('is gone after the end of the ping and after its deletion', async () => {
    const { response: product } = await picture(unknownPingId)
    const [over, gone] = [await drop({ duration_minutes: 15 }), await drop()]
    for (const { id } of [over, gone]) {
      expect((await picture(id)).response.headers.get('etag')).not.toBe(product.headers.get('etag'))
    }
    await cast.remove(gone.id, cast.ann)
    cast.server.clock.advance(15 * minuteMs)
    for (const { id } of [over, gone]) {
      expect((await picture(id)).response.headers.get('etag')).toBe(product.headers.get('etag'))
    }
  })

  it('is returned to many concurrent requests', async () => {
    const { id } = await drop()
    const answers = await Promise.all(Array.from({ length: 100 }, () => picture(id)))
    expect(new Set(answers.map(({ response }) => `${response.status} ${response.headers.get('etag')}`)).size).toBe(1)
    expect(answers[0]?.response.status).toBe(200)
  })
})

it('the card of a public ping is in the language of the server', async () => {
  const page = await serveWebApp(cast, 'de')
  try {
    const ping = await drop({ name: 'Kaffee' })
    const { body } = await page.web.inject({ url: `/pins/${ping.id}` })
    expect(body).toContain('<html lang="de">')
    expect(tagsIn(body)['og:description']).toMatch(/^von \u2068ann\u2069, bis \u2068\d\d:\d\d\u2069 UTC$/)
    expect(tagsIn((await page.web.inject({ url: '/' })).body)['og:description']).toBe(
      'Setz einen Pin. Freunde kommen her.',
    )
  } finally {
    await page.close()
  }
})
