import { useState } from 'react'
import { LocationError } from '../map/geolocation.ts'
import { type Place } from '../map/map-defaults.ts'
import { type ChosenPlace } from '../pings/chosen-place.ts'
import { type PingDraft } from '../pings/ping-draft.ts'
import { isLocationHintHidden } from './location-hint.ts'

const nowhere: ChosenPlace = { from: 'nowhere', reason: null }

/** The pin that is being made: whether its dialog is open, where it will stand, and why the device does not say where. */
export function useNewPin(locate: () => Promise<Place>) {
  const [isOpen, setIsOpen] = useState(false)
  const [place, setPlace] = useState<ChosenPlace>(nowhere)
  const [draft, setDraft] = useState<PingDraft | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  /** Asks the device where it is; its refusal is explained once, and the map stays a way to choose. */
  async function atDevice() {
    setIsOpen(true)
    setPlace({ from: 'locating' })
    try {
      const found = await locate()
      setPlace((current) => (current.from === 'locating' ? { from: 'device', ...found } : current))
    } catch (error) {
      const reason = noteProblem(error)
      setPlace((current) => (current.from === 'locating' ? { from: 'nowhere', reason } : current))
    }
  }

  /** Where the device is, for a pin that asks for nothing else; null where that is not known, and the dialog asks on. */
  async function findPlace(): Promise<Place | null> {
    try {
      return await locate()
    } catch (error) {
      setPlace({ from: 'nowhere', reason: noteProblem(error) })
      setIsOpen(true)
      return null
    }
  }

  function atPlace(chosen: Place) {
    setPlace({ from: 'map', ...chosen })
    setIsOpen(true)
  }

  /** At a place, or where the device is if it may say so unasked: nobody has tapped for it here. */
  async function begin(draft: PingDraft | null, place: Place | null) {
    setDraft(draft)
    setPlace(place === null ? nowhere : { from: 'given', ...place })
    setIsOpen(true)
    if (place === null && (await mayLocate())) await atDevice()
  }

  function noteProblem(error: unknown): string | null {
    if (!(error instanceof LocationError)) return null
    const isRefused = ['denied', 'unsupported', 'insecure'].includes(error.problem)
    if (isRefused && !isLocationHintHidden()) setProblem(error.message)
    return error.message
  }

  return {
    isOpen,
    place,
    draft,
    problem,
    atDevice,
    atPlace,
    begin,
    findPlace,
    noteProblem,
    open: () => setIsOpen(true),
    close: () => {
      setIsOpen(false)
      setPlace(nowhere)
      setDraft(null)
    },
    dismissProblem: () => setProblem(null),
  }
}

async function mayLocate(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}
