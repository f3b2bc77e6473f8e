import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, hasNoResponse, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { clearFriendCode } from '../session/friend-code.ts'
import { useSession } from '../session/session.ts'
import { AddLayout } from './AddLayout.tsx'
import { AddPerson } from './AddPerson.tsx'
import { AddVisitor } from './AddVisitor.tsx'
import { type LinkState, stateOf } from './friend-link.rules.ts'
import { previewQuery } from './friend-links.api.ts'
import { useOpenedCode } from './use-opened-code.ts'

/** The target of a friend link. Opening it changes nothing: only a tap connects two people. */
export function AddScreen() {
  const { user } = useSession()
  const code = useOpenedCode()
  const lookup = useQuery({ ...previewQuery(code ?? '', user?.id ?? null), enabled: code !== null })
  const navigate = useNavigate()

  function handleLeave() {
    clearFriendCode()
    void navigate('/', { replace: true })
  }

  const state: LinkState = code === null ? { kind: 'invalid' } : lookedUp(lookup)
  const isRejected = state.kind === 'invalid' || state.kind === 'own'
  useEffect(() => {
    if (isRejected) clearFriendCode()
  }, [isRejected])

  switch (state.kind) {
    case 'loading':
      return <AddLayout key="loading" heading={t('friend-links.add.opening')} isBusy />
    case 'invalid':
      return (
        <Ending text={t('errors.friend_link_invalid')} label={t('friend-links.add.goHome')} onClose={handleLeave} />
      )
    case 'own':
      return <Ending text={t('errors.own_friend_link')} label={t('friend-links.add.done')} onClose={handleLeave} />
    case 'friends':
      return (
        <Ending
          text={t('friend-links.add.alreadyFriends', { name: state.preview.username })}
          label={t('friend-links.add.done')}
          onClose={handleLeave}
          person={state.preview}
        />
      )
    case 'waiting':
      return (
        <Ending
          text={t('friend-links.add.waiting', { name: state.preview.username })}
          label={t('friend-links.add.done')}
          onClose={handleLeave}
          person={state.preview}
        />
      )
    case 'offline':
    case 'failed':
      return (
        <Ending
          text={state.kind === 'failed' ? state.message : t('friend-links.add.offline')}
          label={t('ui.retry')}
          onClose={() => void lookup.refetch()}
        />
      )
    case 'visitor':
      return <AddVisitor preview={state.preview} />
    case 'ready':
      return (
        <AddPerson
          code={code ?? ''}
          preview={state.preview}
          onLeave={handleLeave}
          onRefused={() => void lookup.refetch()}
        />
      )
  }
}

interface EndingProps {
  text: string
  label: string
  person?: FriendLinkPreview
  onClose: () => void
}

/** A sentence with one button. */
function Ending({ text, label, person, onClose }: EndingProps) {
  return (
    <AddLayout key={text} heading={text} {...(person && { person })}>
      <Stack>
        <Button variant="contained" size="large" onClick={onClose}>
          {label}
        </Button>
      </Stack>
    </AddLayout>
  )
}

interface Lookup {
  data: FriendLinkPreview | undefined
  error: unknown
  isFetching: boolean
}

function lookedUp({ data, error, isFetching }: Lookup): LinkState {
  // What was loaded remains visible when the device goes offline.
  if (data !== undefined && (error === null || hasNoResponse(error))) return stateOf(data)
  if (error === null || (isFetching && hasNoResponse(error))) return { kind: 'loading' }
  if (hasNoResponse(error)) return { kind: 'offline' }
  if (error instanceof ApiError && [404, 422].includes(error.status)) return { kind: 'invalid' }
  return { kind: 'failed', message: messageOf(error, t('friend-links.add.failed')) }
}
