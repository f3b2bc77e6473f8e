import type { LinkedIdentity } from '@hither/contract/auth/oidc.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { clientConfigQuery } from '../../../api/client-config.ts'
import { signInMessageOf } from '../../../auth/offline.ts'
import { t } from '../../../i18n/translate.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { lazyModule } from '../../../ui/lazy.tsx'
import { ActionRow } from '../../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../../ui/settings/RowButton.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { useRecentSignIn } from '../recent-sign-in/use-recent-sign-in.tsx'
import { identitiesQuery, useUnlinkIdentity } from './identities.api.ts'

const loadProvider = lazyModule(() => import('../../../auth/provider/provider-sign-in.ts'))

/** Returns the rows of the linked providers, and of the provider of this server if it is not linked. */
export function useProviderRows(): ReactNode[] {
  const { data: identities } = useQuery(identitiesQuery())
  const provider = useQuery(clientConfigQuery()).data?.oidc ?? null
  if (identities === undefined) return []
  const linked = identities.map((identity) => <LinkedRow key={identity.kind} identity={identity} />)
  if (provider === null || identities.some(({ kind }) => kind === 'oidc')) return linked
  return [...linked, <LinkRow key="oidc" name={provider.name} />]
}

function LinkRow({ name }: { name: string }) {
  const { run, question } = useRecentSignIn()
  const { showError } = useSnackbar()
  const [isLeaving, setIsLeaving] = useState(false)

  async function handleLink() {
    setIsLeaving(true)
    try {
      const { startWithProvider } = await loadProvider()
      await run((proof) => startWithProvider({ intent: 'link', return_to: '/profile' }, proof))
    } catch (error) {
      showError(signInMessageOf(error, t('errors.sign_in_provider_unreachable')))
    }
    setIsLeaving(false)
  }

  return (
    <ActionRow label={name} text={t('profile.signIn.linkText', { provider: name })}>
      <RowButton
        name={t('profile.signIn.linkOf', { provider: name })}
        label={t('profile.signIn.link')}
        isWorking={isLeaving}
        onClick={() => void handleLink()}
      />
      {question}
    </ActionRow>
  )
}

function LinkedRow({ identity: { kind, name, email } }: { identity: LinkedIdentity }) {
  const unlinking = useUnlinkIdentity()
  const { run, question } = useRecentSignIn()
  const { showError, showNotice } = useSnackbar()
  const [isAsking, setIsAsking] = useState(false)

  async function handleUnlink() {
    setIsAsking(false)
    try {
      const isUnlinked = await run(async (proof) => {
        await unlinking.mutateAsync({ kind, ...proof })
        return true
      })
      if (isUnlinked) showNotice(t('profile.signIn.unlinked', { provider: name }))
    } catch (error) {
      showError(signInMessageOf(error, t('profile.signIn.failed')))
    }
  }

  return (
    <ActionRow
      label={name}
      text={email === null ? t('profile.signIn.linked') : t('profile.signIn.linkedAs', { email })}
    >
      <RowButton
        name={t('profile.signIn.unlinkOf', { provider: name })}
        label={t('profile.signIn.unlink')}
        isWorking={unlinking.isPending}
        onClick={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={t('profile.signIn.unlinkTitle', { provider: name })}
        text={t('profile.signIn.unlinkText', { provider: name })}
        confirmLabel={t('profile.signIn.unlink')}
        onConfirm={() => void handleUnlink()}
        onClose={() => setIsAsking(false)}
      />
      {question}
    </ActionRow>
  )
}
