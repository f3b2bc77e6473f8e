import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ErrorAlert } from '../../../ui/ErrorAlert.tsx'
import { shortDate } from '../../../ui/format-time.ts'
import { RowButton } from '../../../ui/settings/RowButton.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { passkeysQuery, useRemovePasskey } from '../passkeys/passkeys.api.ts'
import { identitiesQuery, useUnlinkIdentity } from '../providers/identities.api.ts'
import { type OwnershipProof, useRecentSignIn } from '../recent-sign-in/use-recent-sign-in.tsx'
import { recoveryCodesQuery } from '../recovery-codes/recovery-codes.api.ts'
import { useNewCodes } from '../recovery-codes/use-new-codes.tsx'

/** A passkey or a linked provider. */
interface Entry {
  readonly key: string
  readonly name: string
  readonly createdAt: string
  readonly since: string
  readonly question: { readonly title: string; readonly text: string }
  readonly done: string
  readonly remove: (proof: OwnershipProof) => Promise<unknown>
}

/** What can sign in without the new password, newest first, and the offer of new recovery codes. */
export function RemainingSignIns() {
  const { entries, hasFailed } = useEntries()
  const codes = useQuery(recoveryCodesQuery()).data
  const { create, isCreating, dialogs } = useNewCodes()
  if (hasFailed) return <ErrorAlert message={t('profile.signIn.passkeysFailed')} />
  if (entries === undefined) return null
  return (
    <Stack spacing={1}>
      <Typography variant="body2" color="textSecondary">
        {entries.length === 0 ? t('profile.signIn.onlyPassword') : t('profile.signIn.stillText')}
      </Typography>
      <Box component="ul" aria-label={t('profile.signIn.stillTitle')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {entries.map((entry) => (
          <EntryRow key={entry.key} entry={entry} />
        ))}
      </Box>
      {codes?.remaining === 0 && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Typography variant="body2" sx={{ flex: 1 }}>
            {t('auth.recoveryCodesEnded')}
          </Typography>
          <RowButton
            name={t('profile.signIn.createCodes')}
            label={t('profile.signIn.createCodes')}
            isWorking={isCreating}
            onClick={() => void create()}
          />
        </Box>
      )}
      {dialogs}
    </Stack>
  )
}

function useEntries(): { entries: Entry[] | undefined; hasFailed: boolean } {
  const passkeys = useQuery(passkeysQuery())
  const identities = useQuery(identitiesQuery())
  const { mutateAsync: removePasskey } = useRemovePasskey()
  const { mutateAsync: unlink } = useUnlinkIdentity()
  const hasFailed = (passkeys.isError && !passkeys.data) || (identities.isError && !identities.data)
  if (!passkeys.data || !identities.data) return { entries: undefined, hasFailed }
  const ofPasskeys = passkeys.data.map(({ id, name, created_at: createdAt }) => ({
    ...{
      key: id,
      name,
      createdAt,
      since: t('profile.signIn.created', { day: shortDate(createdAt) }),
      done: t('profile.signIn.removed'),
    },
    question: { title: t('profile.signIn.removeTitle'), text: t('profile.signIn.removeText') },
    remove: (proof: OwnershipProof) => removePasskey({ id, ...proof }),
  }))
  const ofProviders = identities.data.map(({ kind, name, email, created_at: createdAt }) => ({
    ...{ key: `${kind} ${createdAt}`, name: email === null ? name : `${name} (${email})`, createdAt },
    ...{
      since: t('profile.signIn.linkedOn', { day: shortDate(createdAt) }),
      done: t('profile.signIn.unlinked', { provider: name }),
    },
    question: {
      title: t('profile.signIn.unlinkTitle', { provider: name }),
      text: t('profile.signIn.unlinkText', { provider: name }),
    },
    remove: (proof: OwnershipProof) => unlink({ kind, ...proof }),
  }))
  const newestFirst = (a: Entry, b: Entry) => Date.parse(b.createdAt) - Date.parse(a.createdAt)
  return { entries: [...ofPasskeys, ...ofProviders].sort(newestFirst), hasFailed: false }
}

function EntryRow({ entry: { name, since, question, done, remove } }: { entry: Entry }) {
  const { run, question: proofQuestion } = useRecentSignIn()
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)

  async function handleRemove() {
    setIsAsking(false)
    try {
      const isRemoved = await run(async (proof) => {
        await remove(proof)
        return true
      })
      if (isRemoved) showNotice(done)
    } catch (error) {
      showError(signInMessageOf(error, t('profile.signIn.failed')))
    }
  }

  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 0.75 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {since}
        </Typography>
      </Box>
      <RowButton
        color="error"
        name={t('profile.signIn.removeOf', { name })}
        label={t('profile.signIn.remove')}
        onClick={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={question.title}
        text={question.text}
        confirmLabel={t('profile.signIn.remove')}
        onConfirm={() => void handleRemove()}
        onClose={() => setIsAsking(false)}
      />
      {proofQuestion}
    </Box>
  )
}
