import { useState } from 'react'
import { isLocationAllowed, LocationError, type Position } from '../map/location/geolocation.ts'
import type { Place } from '../map/map-defaults.ts'
import type { ChosenPlace } from '../pings/create/chosen-place.ts'
import type { PingDraft } from '../pings/create/ping-draft.ts'
import { isLocationHintHidden } from './location-hint.ts'

const nowhere: ChosenPlace = { from: 'nowhere', reason: null }

/** The state of a new pin: whether its dialog is open, its location, and why the position of the device is unknown. */
export function useNewPin(locate: () => Promise<Position>) {
  const [isOpen, setIsOpen] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const [place, setPlace] = useState<ChosenPlace>(nowhere)
  const [draft, setDraft] = useState<PingDraft | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  /**
   * Requests the position of the device. A refusal is explained once, and the location can still be chosen on the map.
   */
  async function atDevice() {
    setIsOpen(true)
    setPlace({ from: 'locating' })
    try {
      const found = await locate()
      setPlace((current) => (current.from === 'locating' ? { from: 'device', ...found } : current))
    } catch (error) {
      const { reason } = noteProblem(error)
      setPlace((current) => (current.from === 'locating' ? { from: 'nowhere', reason } : current))
    }
  }

  /**
   * Resolves to the position of the device for a quick pin. Resolves to null if it is unknown, after opening the
   * dialog.
   */
  async function findPlace(): Promise<Position | null> {
    try {
      return await locate()
    } catch (error) {
      setPlace({ from: 'nowhere', reason: noteProblem(error).reason })
      setIsOpen(true)
      return null
    }
  }

  function atPlace({ latitude, longitude }: Place, from: 'map' | 'given' = 'map') {
    setPlace({ from, latitude, longitude })
    setIsOpen(true)
  }

  function atPosition(position: Position) {
    setPlace({ from: 'device', ...position })
    setIsOpen(true)
  }

  /**
   * Starts a pin at a place, or at the device's position if the permission was already given, because the user has not
   * tapped a location button.
   */
  async function begin(draft: PingDraft | null, place: Place | null) {
    setDraft(draft)
    setPlace(place === null ? nowhere : { from: 'given', ...place })
    setIsOpen(true)
    if (place === null && (await isLocationAllowed())) await atDevice()
  }

  /** Starts a pin whose place has to be chosen, for this reason. */
  function beginWithoutPlace(draft: PingDraft, reason: string) {
    setDraft(draft)
    setPlace({ from: 'nowhere', reason })
    setIsOpen(true)
  }

  /** Returns why there is no position, and whether the dialog explains it. */
  function noteProblem(error: unknown): { reason: string | null; isExplained: boolean } {
    if (!(error instanceof LocationError)) return { reason: null, isExplained: false }
    const isRefused = ['denied', 'unsupported', 'insecure'].includes(error.problem)
    const isExplained = isRefused && !isLocationHintHidden()
    if (isExplained) setProblem(error.message)
    return { reason: error.message, isExplained }
  }

  return {
    isOpen,
    place,
    draft,
    /** Shown in front of the dialog of the new pin, so not before that one, whose code may still be loading. */
    problem: isOpen && !isShown ? null : problem,
    atDevice,
    atPlace,
    atPosition,
    begin,
    beginWithoutPlace,
    findPlace,
    noteProblem,
    open: () => setIsOpen(true),
    handleShown: () => setIsShown(true),
    close: () => {
      setIsOpen(false)
      setIsShown(false)
      setPlace(nowhere)
      setDraft(null)
    },
    dismissProblem: () => setProblem(null),
  }
}
