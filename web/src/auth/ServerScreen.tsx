import Stack from '@mui/material/Stack'
import { useForm } from 'react-hook-form'
import { Navigate } from 'react-router'
import { serverOrigin } from '../api/base-address.ts'
import { t } from '../i18n/translate.ts'
import { isNative } from '../platform/is-native.ts'
import { isHitherServer, originOf } from '../platform/server-address.ts'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { loadModule } from '../ui/load-module.ts'
import { AuthLayout } from './AuthLayout.tsx'

/** The choice of a server. Only the packaged app needs it; a page in a browser comes from its server. */
export function ServerScreen() {
  const chosen = serverOrigin()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { address: chosen === location.origin ? '' : chosen },
  })
  if (!isNative()) return <Navigate to="/" replace />

  async function submit({ address }: { address: string }) {
    const origin = originOf(address)
    if (origin === null) return setError('address', { message: t('platform.badAddress') })
    const errorText = await serverError(origin)
    if (errorText !== null) return setError('address', { message: errorText })
    const { chooseServer } = await loadModule(() => import('../platform/native-server.ts'))
    await chooseServer(origin)
  }

  return (
    <AuthLayout heading={t('platform.serverHeading')} line={t('platform.serverLine')}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={handleSubmit(submit)}>
        <FormField
          label={t('platform.serverLabel')}
          type="url"
          autoComplete="url"
          slotProps={{ htmlInput: { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } }}
          registration={register('address')}
          error={formState.errors.address?.message}
          helper={t('platform.serverExample')}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={formState.isSubmitting}>
          {t('platform.continue')}
        </LoadingButton>
      </Stack>
    </AuthLayout>
  )
}

async function serverError(origin: string): Promise<string | null> {
  try {
    return (await isHitherServer(origin)) ? null : t('platform.noServer')
  } catch {
    return t('errors.unreachable')
  }
}
