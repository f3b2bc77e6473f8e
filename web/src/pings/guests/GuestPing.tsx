import type { GuestPing as Ping } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type { AnonymousPing, ResponseType } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/transport.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { ScreenLoading } from '../../ui/ScreenLoading.tsx'
import { outdatedOf } from '../pings.rules.ts'
import { DirectionsButton } from '../place/DirectionsButton.tsx'
import { PingPlace } from '../place/PingPlace.tsx'
import { isExact } from '../place/place.rules.ts'
import { ResponseOrQuestion } from '../still-going/ResponseOrQuestion.tsx'
import type { Question } from '../still-going/StillGoing.tsx'
import type { OutdatedResponse } from '../still-going/still-going.rules.ts'
import { CalendarButton } from '../view/CalendarButton.tsx'
import { LoginInvitation } from '../view/LoginInvitation.tsx'
import { PingActions } from '../view/PingActions.tsx'
import { PingArticle } from '../view/PingArticle.tsx'
import { PingHeading } from '../view/PingHeading.tsx'
import { PingHistory } from '../view/PingHistory.tsx'
import { PingMessage } from '../view/PingMessage.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'
import { GuestActions } from './GuestActions.tsx'
import { GuestForm } from './GuestForm.tsx'
import { GuestResult } from './GuestResult.tsx'
import { countsText, type GuestAnswer, isGuestGone } from './guest.rules.ts'
import { useGuestResponse } from './use-guest-response.ts'

interface Props {
  pingId: PingId
  /** Null if visitors do not see the ping. */
  ping: AnonymousPing | null
  notFound: ReactNode
}

type Response = ReturnType<typeof useGuestResponse>

/** The ping page of a visitor who can respond without an account, or has responded on this device. */
export function GuestPing({ pingId, ping, notFound }: Props) {
  const response = useGuestResponse(pingId, ping?.expires_at ?? null)
  const { view, stored } = response
  // The server answers 404 while the ping is not public, and a day after its end.
  if (isNotFound(view.error) && !isGuestGone(view.error)) return notFound
  const shown = view.data?.ping ?? ping
  if (shown !== null) return <Details ping={shown} response={response} />
  if (stored?.isSent !== true) return notFound
  if (view.isPending) return <ScreenLoading />
  return (
    <ErrorAlert message={t('pings.loadOneFailed')} onRetry={() => void view.refetch()} isRetrying={view.isFetching} />
  )
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

function Details({ ping, response }: { ping: AnonymousPing | Ping; response: Response }) {
  const status = usePingStatus(ping)
  const isExpired = status === 'expired'
  const { stored, view } = response
  const guest = view.data?.guest ?? null
  // Until then, the device may not know yet that its response makes the exact place visible.
  const isLoading = stored?.isSent === true && view.isPending
  return (
    <PingArticle>
      {/* Visitors do not get the id of the owner. */}
      <PingHeading ping={ping} status={status} owner={{ id: ping.id, hasImage: false, color: ping.avatar_color }} />
      <GuestResponse ping={ping} isExpired={isExpired} response={response} />
      {hasPlace(ping) && <PingPlace key={`${isLoading}`} ping={ping} status={status} guest={guest} />}
      {'message' in ping && (
        <>
          <PingMessage text={ping.message} />
          <Counts text={countsText(ping.response_counts)} />
        </>
      )}
      {hasPlace(ping) && (
        <PingActions>
          {!isExpired && !isForVisitors(ping) && <DirectionsButton ping={ping} />}
          {status === 'pending' && isExact(ping) && (
            <CalendarButton pingId={ping.id} guestToken={stored?.isSent ? stored.token : undefined} />
          )}
        </PingActions>
      )}
      <LoginInvitation
        reasons={t('pings.guest.loginReasons')}
        login={isExpired ? null : { text: t('pings.guest.haveAccount'), isMain: false }}
      />
      <PingHistory ping={ping} status={status} />
    </PingArticle>
  )
}

/** After the end, guests do not get the place. */
function hasPlace(
  ping: AnonymousPing | Ping,
): ping is (AnonymousPing | Ping) & { latitude: number; longitude: number } {
  return ping.latitude !== null && ping.longitude !== null
}

/** Whether visitors see the same place, for which the header of the page has the directions. */
function isForVisitors({ exact_place_for }: AnonymousPing | Ping): boolean {
  return exact_place_for === 'everyone'
}

function Counts({ text }: { text: string | null }) {
  return text === null ? null : <Typography sx={{ fontWeight: 700 }}>{text}</Typography>
}

/** What was sent, or the form. */
function GuestResponse({
  ping,
  isExpired,
  response,
}: {
  ping: AnonymousPing | Ping
  isExpired: boolean
  response: Response
}) {
  const { stored, view, draft, errors, isSending, wasOpened, open, submit } = response
  const owner = shownName(ping)
  const guest = view.data?.guest
  const answer = draft === null ? (stored?.unsent ?? guest) : undefined
  // The response of a saved link is on its way.
  if (draft === null && answer === undefined && stored?.isSent) return null
  const canChange = !isExpired && (guest === undefined || ping.can_respond)
  const outdated = canChange ? outdatedOf(answer, ping) : null
  const answerNow = (given: GuestAnswer) => submit({ ...given, revision: ping.revision })
  return (
    <Box
      component="section"
      sx={answer && { display: 'grid', gap: 2, p: 2, border: 1, borderColor: 'divider', borderRadius: '16px' }}
    >
      {/* Always rendered, so that screen readers announce the result. */}
      <ResponseOrQuestion question={outdated && answer ? questionAbout(outdated, answer.name) : null}>
        <Box role="status">
          {answer && stored && (
            <GuestResult
              owner={owner}
              answer={answer}
              delivery={stored.unsent ? 'unsent' : guest?.state === 'waiting' ? 'waiting' : 'visible'}
              takesFocus={wasOpened}
            />
          )}
        </Box>
      </ResponseOrQuestion>
      {answer && stored ? (
        <GuestActions
          pingId={ping.id}
          stored={stored}
          canChange={canChange}
          onChange={() => open({ name: answer.name, response_type: answer.response_type })}
        />
      ) : (
        <GuestForm
          owner={owner}
          draft={draft}
          errors={errors}
          canRespond={ping.can_respond && !isExpired}
          isSending={isSending}
          isChange={guest !== undefined}
          onDraft={open}
          onSubmit={answerNow}
        />
      )}
    </Box>
  )

  function questionAbout(response: OutdatedResponse, name: string): Question {
    const onAnswer = (response_type: ResponseType) => void answerNow({ name, response_type })
    return { owner, ping, response, onAnswer }
  }
}
