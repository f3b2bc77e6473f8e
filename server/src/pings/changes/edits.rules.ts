import type { ChangePing, OwnPing, PingStatus } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { fieldError, InvalidInput, Refusal } from '../../platform/errors/refusal.ts'
import { activationErrors, addressOrNull, nameErrors, textOrNull, updateTime } from '../pings.rules.ts'

/** A change of fields, after the checks that do not need the ping. */
type Edit = Omit<ChangePing, 'extend_minutes' | 'end' | 'latitude' | 'longitude'> & {
  readonly place?: { readonly latitude: number; readonly longitude: number }
}

/** Validates the fields by themselves and throws all errors at once. */
export function readEdit({ extend_minutes, end, latitude, longitude, ...edit }: ChangePing): Edit {
  const name = edit.name?.trim()
  const errors = name === undefined ? [] : nameErrors(name)
  const missing = latitude === undefined ? 'latitude' : 'longitude'
  if ((latitude === undefined) !== (longitude === undefined))
    errors.push(fieldError('body', missing)('coordinate_missing'))
  if (errors.length > 0) throw new InvalidInput(...errors)
  return {
    ...edit,
    ...(name === undefined ? {} : { name }),
    ...(edit.message === undefined ? {} : { message: textOrNull(edit.message) }),
    ...(edit.address === undefined ? {} : { address: addressOrNull(edit.address) }),
    ...(latitude === undefined || longitude === undefined ? {} : { place: { latitude, longitude } }),
  }
}

/** The ping that an edit changes. `announced_status` is later than `status` if the clock of this node is slow. */
type EditedPing = OwnPing & { readonly announced_status: PingStatus; readonly moves: number }

/** The columns that an edit may change. */
type EditedColumns = Pick<
  OwnPing,
  | 'name'
  | 'is_unnamed'
  | 'message'
  | 'latitude'
  | 'longitude'
  | 'address'
  | 'activates_at'
  | 'expires_at'
  | 'is_public'
  | 'responses_visible'
  | 'guest_policy'
  | 'exact_place_for'
  | 'area_km'
>

/** What an edit makes of a ping. */
export interface PlannedEdit {
  readonly columns: EditedColumns & {
    readonly revision: number
    readonly place_revision: number
    readonly time_revision: number
    readonly updated_at: string
  }
  readonly status: PingStatus
  readonly moves: number
  readonly hasMoved: boolean
  readonly hasNewStart: boolean
}

/** Returns what the edit makes of the ping, or null if it changes nothing. Refuses what the status of the ping forbids. */
export function planEdit(ping: EditedPing, edit: Edit, now: Date): PlannedEdit | null {
  assertExpected(ping, edit)
  const status = ping.announced_status === 'active' ? 'active' : ping.status
  const place = edit.place ?? ping
  const hasMoved = place.latitude !== ping.latitude || place.longitude !== ping.longitude
  const times = timesAfter(ping, edit)
  const hasNewStart = times.startMs !== startOf(ping)
  if (status === 'active' && (hasNewStart || times.durationMs !== durationOf(ping))) throw new Refusal('ping_started')
  if (status === 'active' && hasMoved && ping.moves >= pingLimits.activeMovesMax) throw new Refusal('too_many_moves')
  const activatesAt = hasNewStart ? new Date(times.startMs) : null
  const errors = activationErrors(activatesAt, now)
  if (errors.length > 0) throw new InvalidInput(...errors)
  const columns: EditedColumns = {
    name: edit.name ?? ping.name,
    is_unnamed: ping.is_unnamed && (edit.name === undefined || edit.name === ping.name),
    message: edit.message === undefined ? ping.message : edit.message,
    latitude: place.latitude,
    longitude: place.longitude,
    address: edit.address === undefined ? (hasMoved ? null : ping.address) : edit.address,
    activates_at: activatesAt?.toISOString() ?? ping.activates_at,
    expires_at: new Date(times.startMs + times.durationMs).toISOString(),
    is_public: edit.is_public ?? ping.is_public,
    responses_visible: edit.responses_visible ?? ping.responses_visible,
    guest_policy: edit.guest_policy ?? ping.guest_policy,
    exact_place_for: edit.exact_place_for ?? ping.exact_place_for,
    area_km: edit.area_km ?? ping.area_km,
  }
  if (isSame(columns, ping)) return null
  const revision = ping.revision + (hasMoved || hasNewStart ? 1 : 0)
  return {
    columns: {
      ...columns,
      revision,
      place_revision: hasMoved ? revision : ping.place_revision,
      time_revision: hasNewStart ? revision : ping.time_revision,
      updated_at: updateTime(ping, now).toISOString(),
    },
    status,
    moves: ping.moves + (status === 'active' && hasMoved ? 1 : 0),
    hasMoved,
    hasNewStart,
  }
}

function assertExpected({ updated_at }: OwnPing, { expected_updated_at }: Edit): void {
  if (expected_updated_at !== undefined && Date.parse(expected_updated_at) !== Date.parse(updated_at))
    throw new Refusal('ping_edit_conflict')
}

function timesAfter(ping: OwnPing, { activates_at, duration_minutes }: Edit) {
  return {
    startMs: activates_at === undefined ? startOf(ping) : Date.parse(activates_at),
    durationMs: duration_minutes === undefined ? durationOf(ping) : duration_minutes * 60_000,
  }
}

function startOf({ activates_at, created_at }: OwnPing): number {
  return Date.parse(activates_at ?? created_at)
}

function durationOf(ping: OwnPing): number {
  return Date.parse(ping.expires_at) - startOf(ping)
}

function isSame(columns: EditedColumns, ping: OwnPing): boolean {
  return (Object.keys(columns) as (keyof EditedColumns)[]).every((column) => columns[column] === ping[column])
}
