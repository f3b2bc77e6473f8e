import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useNavigate } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { clearFriendCode } from '../session/friend-code.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AddLayout } from './AddLayout.tsx'
import { lineOf, needsApproval } from './friend-link.rules.ts'
import { failureText, useAcceptFriendLink } from './friend-links.api.ts'

interface Props {
  code: string
  preview: FriendLinkPreview
  onLeave: () => void
  /** The link has become invalid since it was opened. */
  onRefused: () => void
}

/** A signed-in user who can use the link. */
export function AddPerson({ code, preview, onLeave, onRefused }: Props) {
  const { username } = preview
  const acceptance = useAcceptFriendLink()
  const { showNotice } = useSnackbar()
  const navigate = useNavigate()

  async function handleAdd() {
    try {
      const { status } = await acceptance.mutateAsync(code)
      clearFriendCode()
      showNotice(
        status === 'accepted' ? t('friend-links.add.accepted', { name: username }) : t('friend-links.add.requestSent'),
      )
      void navigate('/friends', { replace: true })
    } catch (error) {
      if (error instanceof ApiError && [400, 404].includes(error.status)) onRefused()
    }
  }

  return (
    <AddLayout heading={t('friend-links.add.add', { name: username })} line={lineOf(preview)} person={preview}>
      <Stack spacing={1.5}>
        {acceptance.isError && <ErrorAlert message={failureText(acceptance.error)} />}
        <LoadingButton
          variant="contained"
          size="large"
          isWorking={acceptance.isPending}
          onClick={() => void handleAdd()}
        >
          {needsApproval(preview)
            ? t('friend-links.add.sendRequest')
            : t('friend-links.add.addFriend', { name: username })}
        </LoadingButton>
        <Button size="large" onClick={onLeave}>
          {t('friend-links.add.notNow')}
        </Button>
      </Stack>
    </AddLayout>
  )
}
